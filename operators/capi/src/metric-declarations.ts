import type { CounterDeclaration, GaugeDeclaration, MetricDeclaration } from '@capstan/meta';

/** How it is with the platform's Cluster API. */
export const operatorConditions = {
  type: 'gauge',
  name: 'capi_operator_condition',
  help: 'Conditions of the ClusterOperator as they were last reported: 1 where a condition is True, else 0.',
  labels: ['type'],
} as const satisfies GaugeDeclaration;

/** Number of CRDs by state. */
export const definitionCounts = {
  type: 'gauge',
  name: 'capi_operator_definitions',
  help: 'CRDs of the releases by state: to be installed, required, incompatible, unclaimed, unknown.',
  labels: ['state'],
} as const satisfies GaugeDeclaration;

/** What came of writes. */
export const operatorWrites = {
  type: 'counter',
  name: 'capi_operator_writes_total',
  help: 'Writes of CRDs and requirements, by kind and outcome.',
  labels: ['kind', 'outcome'],
} as const satisfies CounterDeclaration;

/** Every metric of the operator. */
export const capiMetricDeclarations: readonly MetricDeclaration[] = [
  operatorConditions,
  definitionCounts,
  operatorWrites,
];

/** What is written, and what may come of it; each is on the page from the start, so that its first one is an increase. */
export const WRITTEN_KINDS = ['customresourcedefinition', 'compatibilityrequirement'] as const;
export const WRITE_OUTCOMES = ['failed', 'written'] as const;

/** What came of a write. */
export type WriteOutcome = (typeof WRITE_OUTCOMES)[number];
