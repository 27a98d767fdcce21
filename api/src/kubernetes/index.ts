/** The built-in Kubernetes API: which resources there are, and what their Go types look like. */
export type { ResourceDefinition, SubresourceDefinition } from './resource.js';
export { builtinResources } from './resources/index.js';
export { goTypeName } from './types/model.js';
export type {
  FieldDef,
  ListType,
  MapType,
  PatchStrategy,
  ScalarName,
  ScalarType,
  SpecialName,
  SpecialType,
  StructDef,
  StructType,
  TypeRef,
} from './types/model.js';
export { structByName, structOf, structsIn, typeTablePaths } from './types/registry.js';
