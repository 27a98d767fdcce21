import type { CounterDeclaration, GaugeDeclaration, HistogramDeclaration, MetricDeclaration } from '@capstan/meta';

/** What came of writes of CRDs. */
export const definitionReviews = {
  type: 'counter',
  name: 'crd_compatibility_definition_reviews_total',
  help: 'Writes of CustomResourceDefinitions checked against the requirements about them, by outcome.',
  labels: ['outcome'],
} as const satisfies CounterDeclaration;

/** What came of writes of objects. */
export const objectReviews = {
  type: 'counter',
  name: 'crd_compatibility_object_reviews_total',
  help: 'Writes of objects checked against the schema of a requirement, by requirement and outcome.',
  labels: ['requirement', 'outcome'],
} as const satisfies CounterDeclaration;

/** How long the checks of objects took. */
export const objectReviewSeconds = {
  type: 'histogram',
  name: 'crd_compatibility_object_review_seconds',
  help: 'Seconds that it took to check the write of an object.',
  labels: [],
  buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
} as const satisfies HistogramDeclaration;

/** How it is with each requirement. */
export const requirementConditions = {
  type: 'gauge',
  name: 'crd_compatibility_requirement_condition',
  help: 'Conditions of requirements: 1 where a condition is True, else 0.',
  labels: ['requirement', 'crd', 'type'],
} as const satisfies GaugeDeclaration;

/** Every metric of the checker. */
export const checkerMetricDeclarations: readonly MetricDeclaration[] = [
  definitionReviews,
  objectReviews,
  objectReviewSeconds,
  requirementConditions,
];

/** What may come of a review; each is on the page from the start, so that its first one is an increase. */
export const OUTCOMES = ['allowed', 'denied', 'failed', 'warned'] as const;

/** What came of a review. */
export type Outcome = (typeof OUTCOMES)[number];
