/** CEL with the libraries of Kubernetes. */
export { sameAst, walk } from './ast.js';
export type { CelNode } from './ast.js';
export { estimateCost } from './cost-estimate.js';
export type { CostRange, SizeEstimator, SizeRange } from './cost-estimate.js';
export { declaredSizes } from './cost-sizes.js';
export { CelEnv, kubernetesEnv } from './env.js';
export type { CelEnvExtension } from './env.js';
export { escapeIdentifier, unescapeIdentifier } from './escape.js';
export { costLimitMessage } from './frame.js';
export { formatIssues } from './issues.js';
export type { CelIssue } from './issues.js';
export { authorizerValue, resourceAuthorizerValue } from './library/authorization.js';
export type { AuthorizationDecision, AuthorizationQuestion, Authorizer } from './library/authorization.js';
export { authorizerType, resourceCheckType } from './library/kinds.js';
export { compile, perExpressionLimit, perObjectBudget } from './program.js';
export type { Activation, CelProgram, Compiled, CostBudget } from './program.js';
export {
  boolType,
  bytesType,
  CelType,
  doubleType,
  durationType,
  dynType,
  formatType,
  intType,
  listType,
  mapType,
  nullType,
  objectType,
  optionalType,
  sameType,
  stringType,
  timestampType,
  uintType,
} from './types.js';
export type { CelField, CelKind, DataHints } from './types.js';
export { CelError, isError, optionalNone, optionalOf } from './values.js';
export type { CelValue } from './values.js';
