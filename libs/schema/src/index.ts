/** Structural schemas: validate, default, prune, CEL. */
export { Composition } from './admission/composition.js';
export type { VariableSpec } from './admission/composition.js';
export { MATCH_CONDITIONS_BUDGET, POLICY_BUDGET, compileExpression, evaluate } from './admission/expression.js';
export type { AdmissionExpression, Evaluated, ExpressionError, ExpressionOptions } from './admission/expression.js';
export { openApiKindType } from './admission/openapi-type.js';
export { typeCheckPolicy } from './admission/type-check.js';
export type { CheckedPolicy, ExpressionWarning, TypedKind } from './admission/type-check.js';
export { DataMap } from './cel/values/data.js';
export { CelEnv, kubernetesEnv } from './cel/library/env.js';
export type { CelEnvExtension } from './cel/library/env.js';
export { authorizerValue, resourceAuthorizerValue } from './cel/library/authorization.js';
export type {
  AuthorizationDecision,
  AuthorizationQuestion,
  Authorizer as CelAuthorizer,
} from './cel/library/authorization.js';
export { authorizerType, resourceCheckType } from './cel/library/kinds.js';
export { compile } from './cel/program.js';
export type { Activation, CelProgram, Compiled, CostBudget } from './cel/program.js';
export { parseExpression, sameExpression } from './cel/syntax/same-expression.js';
export { childrenOf, sameAst } from './cel/syntax/ast.js';
export type { CallNode, CelNode, FoldNode, SelectNode } from './cel/syntax/ast.js';
export {
  boolType,
  dynType,
  formatType,
  intType,
  listType,
  mapType,
  nullType,
  objectType,
  sameType,
  stringType,
  timestampType,
} from './cel/types/types.js';
export type { CelType } from './cel/types/types.js';
export { CelError, isError } from './cel/values/values.js';
export type { CelValue } from './cel/values/values.js';
export { approvalOf, checkApproval, isProtectedGroup } from './definition/approval.js';
export type { Approval } from './definition/approval.js';
export { bundleProblem } from './definition/ca-bundle.js';
export { defaultDefinition, defaultStoredVersions, storageVersion } from './definition/defaults.js';
export { findCondition, isTrue, specOf, statusOf } from './definition/definition.js';
export type {
  AdditionalPrinterColumn,
  DefinitionCondition,
  DefinitionNames,
  DefinitionSpec,
  DefinitionStatus,
  DefinitionVersion,
  ScalePaths,
} from './definition/definition.js';
export {
  validateDefinition,
  validateDefinitionStatus,
  validateDefinitionUpdate,
} from './definition/validate-definition.js';
export { checkService, checkUrl } from './definition/webhook-client.js';
export { admitSchema, admitSelectableFields } from './structural/admission.js';
export type { SchemaAdmissionOptions } from './structural/admission.js';
export { effectiveFormat } from './structural/validate/formats.js';
export { internalSchema } from './structural/schema/internal-form.js';
export { parseSchema } from './structural/schema/parse-schema.js';
export { patternProgram } from './structural/schema/pattern-program.js';
export type { PatternProgram, PatternStep } from './structural/schema/pattern-program.js';
export { publishSchema } from './structural/schema/publish.js';
export { schemaFeature } from './structural/schema/schema-node.js';
export type { SchemaNode } from './structural/schema/schema-node.js';
export { selectableFields } from './structural/schema/selectable-fields.js';
export type { SelectableField } from './structural/schema/selectable-fields.js';
export { StructuralSchema } from './structural/structural-schema.js';
export type { StructuralSchemaOptions, ValidationResult } from './structural/structural-schema.js';
