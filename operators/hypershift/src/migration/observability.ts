import { PRIVATE_TYPES_DASHBOARD } from '@capstan/observability';
import type { AlertRule, LogMessage, Panel, PanelRow, RuleGroup } from '@capstan/observability';
import {
  bothGroups,
  failedClusters,
  foreignLocks,
  migratedClusters,
  migrationDuration,
  migrationStart,
  pendingClusters,
} from './metrics.js';

/** Each replica of the operator reports every cluster, so the maximum counts. */
const failed = `max by (failure_reason) (${failedClusters.name})`;

const migrationFailed: AlertRule = {
  alert: 'HyperShiftPrivateCAPIMigrationFailed',
  expr: `${failed} > 0`,
  for: '0m',
  severity: 'warning',
  summary: 'Migrations of hosted clusters to private Cluster API types have failed: {{ $labels.failure_reason }}.',
  description:
    'Migrations of one or more hosted clusters have failed with the reason {{ $labels.failure_reason }}. Those clusters are rolled back to standard types and reconciled by operator-legacy; they are not migrated before the annotation hypershift.openshift.io/migration-failed is removed. Other clusters go on.',
  runbook: 'private-capi-migration-failed',
};

const MOST_SECONDS = 3600;

/** By the start time rather than by `for`, which a restart of Prometheus would reset. */
const migrationStuck: AlertRule = {
  alert: 'HyperShiftPrivateCAPIMigrationStuck',
  expr: `time() - max by (namespace, name) (${migrationStart.name}) > ${MOST_SECONDS}`,
  for: '5m',
  severity: 'warning',
  summary: 'The migration of {{ $labels.namespace }}/{{ $labels.name }} does not end.',
  description:
    'For {{ $value | humanizeDuration }} the hosted cluster {{ $labels.namespace }}/{{ $labels.name }} has been locked by its migration, where one hour is the limit. No operator reconciles it meanwhile, and no other cluster is migrated. What runs on its nodes goes on.',
  runbook: 'private-capi-migration-stuck',
};

const foreignLock: AlertRule = {
  alert: 'HyperShiftPrivateCAPIMigrationForeignLock',
  expr: `max by (namespace, name) (${foreignLocks.name}) > 0`,
  for: '15m',
  severity: 'warning',
  summary: 'The hosted cluster {{ $labels.namespace }}/{{ $labels.name }} is locked, but not by a migration.',
  description:
    'For a quarter of an hour the hosted cluster {{ $labels.namespace }}/{{ $labels.name }} has had the annotation hypershift.openshift.io/migration-in-progress, which no migration of this operator has set. Nothing reconciles the cluster until it is removed.',
  runbook: 'private-capi-migration-foreign-lock',
};

const inBothGroups: AlertRule = {
  alert: 'HyperShiftPrivateCAPIMigrationBothGroups',
  expr: `max by (namespace, name) (${bothGroups.name}) > 0`,
  for: '5m',
  severity: 'warning',
  summary: 'The hosted cluster {{ $labels.namespace }}/{{ $labels.name }} has Cluster API objects in both groups.',
  description:
    'For five minutes the hosted cluster {{ $labels.namespace }}/{{ $labels.name }} has had Cluster API objects in the standard and in the private groups, and neither annotations that name one side nor a journal of a migration. Nothing reconciles the cluster until its annotations name one side. What runs on its nodes goes on.',
  runbook: 'private-capi-migration-both-groups',
};

export const migrationRules: RuleGroup = {
  name: 'hypershift-private-capi-migration',
  rules: [migrationFailed, migrationStuck, foreignLock, inBothGroups],
};

const panels: readonly Panel[] = [
  {
    title: 'Migration Status',
    description:
      'How many hosted clusters are migrated, pending and failed; those created on private types are left out.',
    kind: 'piechart',
    unit: 'short',
    queries: [
      { expr: `max(${migratedClusters.name})`, legend: 'migrated' },
      { expr: `max(${pendingClusters.name})`, legend: 'pending' },
      { expr: `sum(${failed})`, legend: 'failed' },
    ],
  },
  {
    title: 'Migration Progress Over Time',
    description: 'How many hosted clusters have been migrated so far.',
    kind: 'timeseries',
    unit: 'short',
    queries: [{ expr: `max(${migratedClusters.name})`, legend: 'migrated' }],
  },
  {
    title: 'Migration Duration',
    description: 'How long migrations took that succeeded.',
    kind: 'heatmap',
    unit: 's',
    queries: [{ expr: `sum by (le) (increase(${migrationDuration.name}_bucket[1h]))`, legend: '{{le}}' }],
  },
  {
    title: 'Failed Migrations',
    description: 'Hosted clusters whose last migration failed, by reason.',
    kind: 'timeseries',
    unit: 'short',
    queries: [{ expr: failed, legend: '{{failure_reason}}' }],
  },
  {
    title: 'Migrations Under Way',
    description: 'How long hosted clusters have been locked by their migration.',
    kind: 'timeseries',
    unit: 's',
    queries: [{ expr: `time() - max by (namespace, name) (${migrationStart.name})`, legend: '{{namespace}}/{{name}}' }],
  },
];

export const migrationPanels: PanelRow = { dashboard: PRIVATE_TYPES_DASHBOARD, row: 'Migration Overview', panels };

export const migrationLogs: readonly LogMessage[] = [
  { message: 'Starting migration for HostedCluster', level: 'info', meaning: 'a HostedCluster was locked' },
  {
    message: 'Migration completed successfully',
    level: 'info',
    meaning: 'a HostedCluster is on private types, and its lock is removed',
  },
  {
    message: 'Migration failed, rolling back',
    level: 'error',
    meaning: 'a HostedCluster is returned to standard types; `reason` and `message` name the cause',
  },
  {
    message: 'Rolling back HostedCluster',
    level: 'info',
    meaning: 'a user has a migrated HostedCluster returned to standard types; `message` has the case and the window',
  },
  {
    message: 'Migration rolled back',
    level: 'info',
    meaning: 'a HostedCluster is on standard types again, and its lock is removed; `reason` names the cause',
  },
  {
    message: 'Migration cannot write HostedCluster',
    level: 'warn',
    meaning: 'the server refuses the condition or the lock of a HostedCluster; `error` names why, and the others go on',
  },
  {
    message: 'Shared identities cannot be copied',
    level: 'warn',
    meaning: 'what users change of a cluster-scoped identity does not reach migrated clusters yet; `error` names why',
  },
  {
    message: 'Order of the migrations is not valid',
    level: 'warn',
    meaning: 'no further cluster is migrated until the ConfigMap is corrected; `problem` names the value',
  },
  {
    message: 'Order of the migrations cannot be written',
    level: 'warn',
    meaning: 'the ConfigMap still asks for one more migration; it is tried again while the last one is under way',
  },
  {
    message: 'Invalid annotation state detected',
    level: 'warn',
    meaning: 'annotations of a HostedCluster contradict each other or its objects; `action` names what was corrected',
  },
  {
    message: 'Migration step left unfinished',
    level: 'warn',
    meaning: 'a step of a rollback took too long, and the rollback went on without it',
  },
  {
    message: 'Kinds cannot be listed for owned objects',
    level: 'warn',
    meaning: 'objects of these kinds lose an owner reference if a Cluster API object owned them',
  },
  {
    message: 'Standard objects that were never copied are left',
    level: 'warn',
    meaning: 'another client created `objects` in a standard group during the migration: nothing reconciles them',
  },
  {
    message: 'Control plane operator image overridden',
    level: 'info',
    meaning: 'the image of a control plane operator adds no sidecars; `image` is used from now on',
  },
  {
    message: 'No migration is started',
    level: 'warn',
    meaning:
      'the next HostedCluster may have objects of a kind that the operator may not list; `message` names it and what to do',
  },
  {
    message: 'Serving certificate renewed',
    level: 'info',
    meaning: 'a certificate of `--own-certificate` was issued again in time, or a new CA was added to its bundle',
  },
  {
    message: 'HostedCluster marked',
    level: 'info',
    meaning: 'a HostedCluster without annotations got those of the operator that reconciles it',
  },
  {
    message: 'Legacy operator deleted',
    level: 'info',
    meaning: 'no HostedCluster needs `operator-legacy` any more',
  },
  {
    message: 'Private CRD differs from its installation',
    level: 'warn',
    meaning: 'a private CRD was changed or deleted; `what` names what differs and what was done about it',
  },
  {
    message: 'Private CRDs cannot be checked',
    level: 'warn',
    meaning: 'they are compared with their installation again later; `problem` names the cause',
  },
];
