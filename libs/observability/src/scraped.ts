import type { MetricDeclaration } from '@capstan/meta';

/** What a scraper reports about each of its targets, with the labels that service and pod monitors add. */
export const targetUp = {
  type: 'gauge',
  name: 'up',
  help: 'Whether a target answered its scraper: 1 or 0.',
  labels: ['namespace', 'pod', 'container', 'job'],
} as const satisfies MetricDeclaration;
