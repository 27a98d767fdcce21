/** Reads, checks and evaluates PromQL: for tests of rules and dashboards. No program loads this. */
export { alertTimeline } from './alerting.js';
export type { FiringAlert, Moment } from './alerting.js';
export { Catalogue, TARGET_LABELS } from './catalogue.js';
export { checkExpression } from './check.js';
export type { Checked } from './check.js';
export { checkComponents } from './check-components.js';
export { evaluate } from './evaluate.js';
export type { Element } from './evaluate.js';
export { parsePromql, PromqlError } from './parse.js';
export { SeriesStore } from './series.js';
export type { LabelSet, Sample, Series } from './series.js';
