/** Structural schemas: validate, default, prune, CEL. */
export { CelEnv, kubernetesEnv } from './cel/env.js';
export type { CelEnvExtension } from './cel/env.js';
export { authorizerValue, resourceAuthorizerValue } from './cel/library/authorization.js';
export type {
  AuthorizationDecision,
  AuthorizationQuestion,
  Authorizer as CelAuthorizer,
} from './cel/library/authorization.js';
export { authorizerType, resourceCheckType } from './cel/library/kinds.js';
export { compile } from './cel/program.js';
export type { Activation, CelProgram, Compiled, CostBudget } from './cel/program.js';
export {
  boolType,
  dynType,
  formatType,
  intType,
  listType,
  mapType,
  objectType,
  sameType,
  stringType,
  timestampType,
} from './cel/types.js';
export type { CelType } from './cel/types.js';
export { CelError, isError } from './cel/values.js';
export type { CelValue } from './cel/values.js';
export { admitSchema, admitSelectableFields } from './structural/admission.js';
export type { SchemaAdmissionOptions } from './structural/admission.js';
export { internalSchema } from './structural/internal-form.js';
export { parseSchema } from './structural/parse-schema.js';
export { publishSchema } from './structural/publish.js';
export { schemaFeature } from './structural/schema-node.js';
export type { SchemaNode } from './structural/schema-node.js';
export { selectableFields } from './structural/selectable-fields.js';
export type { SelectableField } from './structural/selectable-fields.js';
export { StructuralSchema } from './structural/structural-schema.js';
export type { StructuralSchemaOptions, ValidationResult } from './structural/structural-schema.js';
