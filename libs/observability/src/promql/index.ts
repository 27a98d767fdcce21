/** Reads, checks and evaluates PromQL: for tests of rules and dashboards. No program loads this. */
export { alertTimeline } from './alerting.js';
export type { FiringAlert, Moment } from './alerting.js';
export { checkComponents } from './check-components.js';
export type { Surroundings } from './check-components.js';
export { evaluate } from './evaluate.js';
export type { Element } from './evaluate.js';
export type { Expression } from './expression.js';
export { parsePromql } from './parse.js';
export { SeriesStore } from './series.js';
export type { LabelSet, Sample, Series } from './series.js';
