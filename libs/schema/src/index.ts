/** Structural schemas: validate, default, prune, CEL. */
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
