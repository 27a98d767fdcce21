/** MachineHealthCheck: Cluster API has all that Machine API has, and more, which is dropped with a warning. */
import { formatDuration, parseDuration, TimeParseError } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { derived, move, preserved, warned } from '../engine/field-rules.js';
import { listOf } from '../engine/list-rules.js';
import { reference } from '../engine/record-rules.js';
import type { Codec } from '../engine/codec.js';
import { getAt } from '../engine/path.js';
import type { Field, Scope } from '../engine/rule.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import { healthCheckAnnotations } from './annotations.js';
import { CLUSTER_API, MACHINE_API, PAUSED_ANNOTATION, PAUSED_AS_COPY } from './names.js';
import { authorityRule, ignored, preservedFields, ownMetadata, typed } from './object-rules.js';
import type { MachineContext } from './platform.js';
import { ownTexts } from './template.js';

const SECOND = 1_000_000_000n;
const MAX_SECONDS = 2_147_483_647n;

function nanosOf(value: unknown, field: Field<MachineContext>): bigint | undefined {
  try {
    if (typeof value === 'string') return parseDuration(value);
    field.error('must be a duration, such as 300s or 5m');
  } catch (error) {
    if (!(error instanceof TimeParseError)) throw error;
    field.error(error.message);
  }
  return undefined;
}

function secondsOf(value: unknown, field: Field<MachineContext>): number | undefined {
  const nanos = nanosOf(value, field);
  if (nanos === undefined) return undefined;
  const seconds = nanos / SECOND;
  if (nanos < 0n || seconds > MAX_SECONDS) {
    field.error(`is ${String(value)}: Cluster API takes 0 to ${MAX_SECONDS} seconds`);
    return undefined;
  }
  if (nanos % SECOND !== 0n)
    field.warn(`is ${String(value)}, and becomes ${seconds}s: Cluster API takes whole seconds`);
  else if (formatDuration(nanos) !== value) field.preserve(value);
  return Number(seconds);
}

/** `300s` is 300, and comes back as `300s` as long as it is 300. */
const seconds: Codec<MachineContext> = {
  keeps: ['left'],
  forward: (value, field) => (value === undefined ? undefined : secondsOf(value, field)),
  backward: (value, field) => {
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
      field.error('must be a whole number of seconds');
      return undefined;
    }
    const nanos = BigInt(value) * SECOND;
    const kept = field.restored();
    return typeof kept === 'string' && isDuration(kept, nanos) ? kept : formatDuration(nanos);
  },
};

function isDuration(text: string, nanos: bigint): boolean {
  try {
    return parseDuration(text) === nanos;
  } catch {
    return false;
  }
}

const more = 'is dropped: Machine API checks nodes only';
const template = 'is not kept: Cluster API names templates by apiVersion, kind and name, in the namespace of the check';

const isNamed = (record: JsonObject): boolean =>
  ['apiVersion', 'kind', 'name'].some((field) => (record[field] ?? '') !== '');
const namesOne = { left: isNamed, right: isNamed };

/** Whether an entry is the pause of a copy, which is not that of the other one. */
const isPauseOfCopy = (key: string, { source }: Scope<MachineContext>): boolean =>
  key === PAUSED_ANNOTATION && getAt(source, ['check', 'metadata', 'annotations', key]) === PAUSED_AS_COPY;

/** Left of Machine API, right of Cluster API; the same on every platform. */
export const healthCheckMap = new TwoWayMap<MachineContext>({
  preserve: preservedFields(['check']),
  rules: [
    ...typed('left', [], MACHINE_API, 'MachineHealthCheck'),
    ...typed('right', ['check'], CLUSTER_API, 'MachineHealthCheck'),
    move('metadata.name', 'check.metadata.name'),
    ...ownMetadata('left', []),
    ...ownMetadata('right', ['check']),
    ...ownTexts(['check'], healthCheckAnnotations, isPauseOfCopy),
    derived<MachineContext>('right', 'check.spec.clusterName', ({ context }) => context.clusterName),
    move('spec.selector', 'check.spec.selector'),
    move('spec.nodeStartupTimeout', 'check.spec.checks.nodeStartupTimeoutSeconds', seconds),
    listOf<MachineContext>('spec.unhealthyConditions', 'check.spec.checks.unhealthyNodeConditions', [
      move('type', 'type'),
      move('status', 'status'),
      move('timeout', 'timeoutSeconds', seconds),
    ]),
    move('spec.maxUnhealthy', 'check.spec.remediation.triggerIf.unhealthyLessThanOrEqualTo'),
    reference<MachineContext>('spec.remediationTemplate', 'check.spec.remediation.templateRef', namesOne, [
      move('apiVersion', 'apiVersion'),
      move('kind', 'kind'),
      move('name', 'name'),
      preserved('left', 'namespace'),
      ...['uid', 'resourceVersion', 'fieldPath'].map((name) => warned<MachineContext>('left', name, template)),
    ]),
    warned('right', 'check.spec.checks.unhealthyMachineConditions', more),
    warned(
      'right',
      'check.spec.remediation.triggerIf.unhealthyInRange',
      'is dropped: Machine API has maxUnhealthy only',
    ),
    authorityRule(['spec', 'authoritativeAPI']),
    ignored('left', ['status']),
    ignored('right', ['check', 'status']),
  ],
});
