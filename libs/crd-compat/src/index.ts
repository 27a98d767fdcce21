/** Is every object of one custom resource definition safe under another? Verdicts with witnesses. */
export type { CompatibilityReport, Finding, Severity, Witness, WitnessRequest } from './report.js';
