/** Is every object of one custom resource definition safe under another? Verdicts with witnesses. */
export { explain, rules } from './catalogue.js';
export type { Rule, RuleCatalogue, RuleId } from './catalogue.js';
export { liveDefinition, objectCheck } from './object-check.js';
export type { LiveDefinition, ObjectCheck, ObjectCheckOptions, ObjectRequest, ObjectVerdict } from './object-check.js';
export { conditionMessage, findingLine, joinLines } from './render/message.js';
export type { CompatibilityReport, Finding, Severity, UpdateReport, Witness, WitnessRequest } from './report.js';
export { prepareRequirement } from './requirement.js';
export type { LiveOptions, RequirementCheck, RequirementOptions, ServerRelease } from './requirement.js';
export { resolveExcludedField, selectVersions } from './selection.js';
export type { ExcludedPath, VersionSelection } from './selection.js';
export { definitionErrors } from './validity/invalid-definition.js';
export type { ValidityOptions } from './validity/invalid-definition.js';
export { countOf, countText, placeOf } from './render/checked.js';
export type { Checked } from './render/checked.js';
export { markdownReport } from './render/markdown.js';
export { sarifLog } from './render/sarif.js';
export type { FindingPlace } from './render/sarif.js';
