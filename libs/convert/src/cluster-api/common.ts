/** What the kinds of Cluster API have in common. Left is v1beta1, right is v1beta2. */
import {
  GroupVersionError,
  TimeParseError,
  formatDuration,
  parseApiVersion,
  parseDuration,
  stringifyJson,
} from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Codec } from '../engine/codec.js';
import { zeroValue } from '../engine/codec.js';
import type { Derivation } from '../engine/field-rules.js';
import { always, constant, derived, move, same, warned } from '../engine/field-rules.js';
import { getAt } from '../engine/path.js';
import { listOf } from '../engine/list-rules.js';
import { reference } from '../engine/record-rules.js';
import type { Field, Rule } from '../engine/rule.js';
import type { Preservation } from '../engine/two-way-map.js';

/** What the conversion must know of the cluster. */
export interface ClusterApiContext {
  /**
   * The apiVersion by which objects of a kind are to be referred to: v1beta2 names only the group. Absent when the
   * kind is not known, which is an error where a reference has to be written.
   */
  readonly apiVersionOf: (group: string, kind: string) => string | undefined;
}

/** A rule of these maps. */
export type ClusterApiRule = Rule<ClusterApiContext>;

/** The group of the core kinds. */
export const coreGroup = 'cluster.x-k8s.io';

/** As the original keeps it: the v1beta2 object in an annotation of the v1beta1 one. */
export const conversionData: Preservation = {
  side: 'right',
  annotation: 'cluster.x-k8s.io/conversion-data',
  content: 'whole',
};

/** A text that v1beta1 always writes and v1beta2 leaves out when empty. */
export const requiredText = zeroValue('', { left: 'fill', right: 'omit' });

/** A text for which empty means absent, on either side. */
export const optionalText = zeroValue('', { left: 'omit', right: 'omit' });

/** A record that v1beta1 always writes, and v1beta2 leaves out when empty: its schema wants a member. */
export const requiredRecord = zeroValue({}, { left: 'fill', right: 'omit' });

/** A number for which zero means absent, on either side. */
export const optionalNumber = zeroValue(0, { left: 'omit', right: 'omit' });

/** A number that both sides always write. */
export const count = zeroValue(0, { left: 'fill', right: 'fill' });

const second = 1_000_000_000n;
const maxSeconds = 2_147_483_647n;

/** The seconds of a duration; `undefined` after an error that explains why there are none. */
function secondsOf(value: unknown, field: Field<unknown>): number | undefined {
  try {
    const nanos = parseDuration(String(value));
    if (nanos % second !== 0n) field.warn(`${String(value)} is cut to whole seconds`);
    if (nanos / second <= maxSeconds) return Number(nanos / second);
    field.warn(`${String(value)} is more than a number of seconds can be, and becomes ${maxSeconds}s`);
    return Number(maxSeconds);
  } catch (error) {
    if (!(error instanceof TimeParseError)) throw error;
    field.error(error.message);
    return undefined;
  }
}

function durationOf(value: unknown, field: Field<unknown>): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return formatDuration(BigInt(value) * second);
  field.error('must be a whole number of seconds');
  return undefined;
}

function canonicalDuration(value: unknown): unknown {
  try {
    return formatDuration(parseDuration(String(value)));
  } catch {
    return value;
  }
}

/** `1m30s` is 90. */
export const seconds: Codec = {
  forward: (value, field) => (value === undefined ? undefined : secondsOf(value, field)),
  backward: (value, field) => (value === undefined ? undefined : durationOf(value, field)),
  normal: { left: (value) => (value === undefined ? undefined : canonicalDuration(value)) },
};

/** The same where v1beta1 cannot leave the duration out. */
export const requiredSeconds: Codec = {
  forward: (value, field) => secondsOf(value ?? '0s', field),
  backward: (value, field) => durationOf(value ?? 0, field),
  normal: { left: (value) => canonicalDuration(value ?? '0s'), right: (value) => value ?? 0 },
};

/** The apiVersion a reference will have in v1beta1, as the context knows it. */
function versionFor(group: string, field: Field<ClusterApiContext>): string | undefined {
  const kind = field.record['kind'];
  return field.context.apiVersionOf(group, typeof kind === 'string' ? kind : '');
}

function groupOf(apiVersion: unknown, field: Field<unknown>): string | undefined {
  if (apiVersion === undefined) return '';
  if (typeof apiVersion !== 'string') {
    field.error('must be a string');
    return undefined;
  }
  try {
    return parseApiVersion(apiVersion).group;
  } catch (error) {
    if (!(error instanceof GroupVersionError)) throw error;
    field.error(`failed to convert object: failed to parse apiVersion: ${error.message}`);
    return undefined;
  }
}

/** `apiVersion` in v1beta1, `apiGroup` in v1beta2. The version comes from the context. */
const versionedGroup: Codec<ClusterApiContext> = {
  forward: (value, field) => {
    const group = groupOf(value, field);
    if (group === undefined) return undefined;
    const known = versionFor(group, field);
    if (value !== undefined && known !== undefined && known !== value) {
      field.warn(`is ${stringifyJson(value)}, which cannot be kept: it will be "${known}"`);
    }
    return group === '' ? undefined : group;
  },
  backward: (value, field) => {
    const group = typeof value === 'string' ? value : '';
    const known = versionFor(group, field);
    if (known === undefined) {
      const kind = stringifyJson(field.record['kind'] ?? '');
      field.error(`failed to convert object: no version of kind ${kind} in group "${group}" is known`);
    }
    return known;
  },
  normal: {
    left: (value, field) => versionFor(groupOf(value, field) ?? '', field),
    right: (value) => (value === '' ? undefined : value),
  },
};

/** The namespace of the object that is converted: where all its references point to. */
function ownNamespace({ root }: Derivation<unknown>): unknown {
  const namespace = getAt(root, ['metadata', 'namespace']);
  return namespace === '' ? undefined : namespace;
}

/** A reference to nothing, as v1beta1 holds it. */
export function emptyReference(root: JsonObject): JsonObject {
  const namespace = ownNamespace({ root, context: undefined });
  return namespace === undefined ? {} : { namespace };
}

const noPlace = 'v1beta2 references have no such field';

function referenceExtras(at: { readonly namespace: boolean }): ClusterApiRule[] {
  const namespace: ClusterApiRule = at.namespace
    ? derived<ClusterApiContext>('left', 'namespace', ownNamespace, 'warning')
    : warned('left', 'namespace', noPlace);
  return [namespace, ...['uid', 'resourceVersion', 'fieldPath'].map((name) => warned('left', name, noPlace))];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Whether one of the fields has a text in it. */
function hasText(...fields: readonly string[]): (record: JsonObject) => boolean {
  return (record) => fields.some((field) => (record[field] ?? '') !== '');
}

const byKindOrName = hasText('kind', 'name');
const versionedIdentity = {
  // A version of the core group alone leaves nothing that v1beta2 could write.
  left: (record: JsonObject) => byKindOrName(record) || textOf(record['apiVersion']).includes('/'),
  right: hasText('apiGroup', 'kind', 'name'),
};
const plainIdentity = { left: hasText('apiVersion', 'kind', 'name'), right: hasText('apiVersion', 'kind', 'name') };

/** An ObjectReference that v1beta2 writes without version and namespace. */
export function contractReference(path: string): ClusterApiRule {
  return reference<ClusterApiContext>(path, path, versionedIdentity, [
    move('apiVersion', 'apiGroup', versionedGroup),
    same('kind'),
    same('name'),
    ...referenceExtras({ namespace: true }),
  ]);
}

/** An ObjectReference that v1beta2 writes without namespace only. */
export function templateReference(left: string, right: string): ClusterApiRule {
  return reference<ClusterApiContext>(left, right, plainIdentity, [
    same('apiVersion'),
    same('kind'),
    same('name'),
    ...referenceExtras({ namespace: true }),
  ]);
}

/** An ObjectReference that can only be a Node, and is just its name in v1beta2. */
export function nodeReference(path: string): ClusterApiRule {
  return reference<ClusterApiContext>(path, path, { left: hasText('name'), right: hasText('name') }, [
    constant('left', 'apiVersion', 'v1', 'warning'),
    constant('left', 'kind', 'Node', 'warning'),
    same('name'),
    ...referenceExtras({ namespace: false }),
  ]);
}

/** The type of an object, which is fixed on either side, and its metadata, which are the same. */
export function typeAndMetadata(kind: string): ClusterApiRule[] {
  return [
    constant('left', 'apiVersion', `${coreGroup}/v1beta1`),
    constant('right', 'apiVersion', `${coreGroup}/v1beta2`),
    constant('left', 'kind', kind),
    constant('right', 'kind', kind),
    same('metadata'),
  ];
}

/** Conditions of both generations: each version keeps the other's next to its own. */
export const conditionRules: readonly ClusterApiRule[] = [
  move('conditions', 'deprecated.v1beta1.conditions'),
  move('v1beta2.conditions', 'conditions'),
];

/** The terminal failure of v1beta1, which v1beta2 only carries. */
export const failureRules: readonly ClusterApiRule[] = [
  move('failureReason', 'deprecated.v1beta1.failureReason'),
  move('failureMessage', 'deprecated.v1beta1.failureMessage'),
];

/** The three counts of replicas that v1beta1 keeps under `v1beta2`. */
export const newReplicaCounts: readonly ClusterApiRule[] = [
  move('v1beta2.readyReplicas', 'readyReplicas'),
  move('v1beta2.availableReplicas', 'availableReplicas'),
  move('v1beta2.upToDateReplicas', 'upToDateReplicas'),
];

/** A count of v1beta1 that v1beta2 only carries. */
export function oldCount(name: string): ClusterApiRule {
  return move(name, `deprecated.v1beta1.${name}`, count);
}

/** The timeouts of a machine's deletion. */
export const deletionTimeouts: readonly ClusterApiRule[] = [
  move('nodeDrainTimeout', 'deletion.nodeDrainTimeoutSeconds', seconds),
  move('nodeVolumeDetachTimeout', 'deletion.nodeVolumeDetachTimeoutSeconds', seconds),
  move('nodeDeletionTimeout', 'deletion.nodeDeletionTimeoutSeconds', seconds),
];

/** Conditions that count for readiness or availability. */
export function gates(path: string): ClusterApiRule {
  return listOf<ClusterApiContext>(path, path, [same('conditionType', requiredText), same('polarity')]);
}

/** The spec of a machine, but for its minReadySeconds, which has another home in every kind. */
export const machineSpecRules: readonly ClusterApiRule[] = [
  same('clusterName', requiredText),
  contractReference('bootstrap.configRef'),
  same('bootstrap.dataSecretName'),
  always('left', 'bootstrap', () => ({})),
  contractReference('infrastructureRef'),
  always('left', 'infrastructureRef', () => ({})),
  same('version', optionalText),
  same('providerID', optionalText),
  same('failureDomain', optionalText),
  gates('readinessGates'),
  ...deletionTimeouts,
  same('taints'),
];
