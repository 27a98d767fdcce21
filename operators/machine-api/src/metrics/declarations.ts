import type { GaugeDeclaration, MetricDeclaration } from '@capstan/meta';

/** Resources by who is authoritative, and whether both copies agree. */
export const resources = {
  type: 'gauge',
  name: 'machine_api_migration_resources',
  help: 'Resources with a copy in Machine API, by kind, authoritative API (empty before there is one) and status of Synchronized.',
  labels: ['kind', 'authority', 'synchronized'],
} as const satisfies GaugeDeclaration;

/** Resources whose copies do not agree, by reason. */
export const unsynchronized = {
  type: 'gauge',
  name: 'machine_api_migration_unsynchronized',
  help: 'Resources whose condition Synchronized is False, by kind and reason.',
  labels: ['kind', 'reason'],
} as const satisfies GaugeDeclaration;

/** How long a change of authority has been waited for. */
export const pendingSeconds = {
  type: 'gauge',
  name: 'machine_api_migration_pending_seconds',
  help: 'Seconds since the controller began to wait for a change of authority that was asked for, by what it waits for; absent where authority is as asked.',
  labels: ['kind', 'name', 'reason'],
} as const satisfies GaugeDeclaration;

/** Every metric of the operator. */
export const machineApiMetricDeclarations: readonly MetricDeclaration[] = [resources, unsynchronized, pendingSeconds];
