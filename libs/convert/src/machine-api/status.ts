/** Status of machines and sets in the other API. Nothing is preserved: an absent field is unknown. */
import type { JsonObject } from '@capstan/meta';
import { getAt, isRecord } from '../engine/path.js';
import type { Path } from '../engine/path.js';
import type { Issue, Side } from '../engine/rule.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import type { Outcome } from '../engine/two-way-map.js';
import { ownedFields } from './counterpart/owned-fields.js';
import { mergeStatus } from './counterpart/merge-status.js';
import { machineApiConditions, remediationCondition } from './machine-api-conditions.js';
import { StatusValues } from './status-values.js';
import type { Phases } from './status-values.js';
import { conditionsOfMachine, conditionsOfSet } from './status-conditions.js';
import type { MachineContext, MachinePlatform } from './platform.js';

/** A status in the other API, and what it has no field for. */
export interface ConvertedStatus<T> {
  readonly status: T;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
}

/** The status of a Cluster API machine and of its infrastructure. */
export interface MachineStatuses {
  readonly machine: JsonObject;
  readonly infrastructure: JsonObject;
}

const provisioned = new Set(['Provisioned', 'Running', 'Deleting']);
const bootstrapped = new Set(['Running', 'Deleting']);

/** Phases of Cluster API that have another name in Machine API, or none. */
const toMachineApiPhase: Phases = {
  Provisioning: 'Provisioning',
  Provisioned: 'Provisioned',
  Running: 'Running',
  Updating: 'Running',
  Deleting: 'Deleting',
  Deleted: 'Deleting',
  Failed: 'Failed',
  Pending: undefined,
  Unknown: undefined,
};
const toClusterApiPhase: Phases = Object.fromEntries(
  ['Provisioning', 'Provisioned', 'Running', 'Deleting', 'Failed'].map((phase) => [phase, phase]),
);

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const recordAt = (object: JsonObject, path: readonly string[]): JsonObject => {
  const found = getAt(object, path);
  return isRecord(found) ? found : {};
};

/** Without the fields that are absent. */
function withoutUndefined(fields: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

/** The rules of a platform's own status as a map of their own; `undefined` where it has none. */
function platformStatus({ status }: MachinePlatform): TwoWayMap<MachineContext> | undefined {
  return status === undefined ? undefined : new TwoWayMap<MachineContext>({ rules: status.rules, unknown: 'warning' });
}

/** Statuses of one platform. */
export class StatusConverter {
  readonly #platform: MachinePlatform;
  readonly #map: TwoWayMap<MachineContext> | undefined;
  readonly #ownedProviderStatus: readonly Path[];
  readonly #ownedInfrastructure: readonly Path[];

  constructor(platform: MachinePlatform) {
    this.#platform = platform;
    this.#map = platformStatus(platform);
    // What controllers find out again, and no conversion gives, stays.
    const mapped = (side: Side): Path[] =>
      (this.#map?.claims[side] ?? []).filter(({ fate }) => fate === 'mapped').map(({ path }) => path.split('.'));
    this.#ownedProviderStatus = mapped('left').map((path) => ['providerStatus', ...path]);
    this.#ownedInfrastructure = [['addresses'], ...mapped('right')];
  }

  /** Of a Machine of Machine API. `now` is the transition time of its conditions. */
  toClusterApi(machine: JsonObject, context: MachineContext, now: string): ConvertedStatus<MachineStatuses> {
    const values = new StatusValues(machine);
    const phase = values.phase(toClusterApiPhase);
    const failure = withoutUndefined({
      failureReason: values.text('errorReason'),
      failureMessage: values.failureMessage('errorMessage'),
    });
    const conditions = conditionsOfMachine(machine, now);
    const node = values.text('nodeRef', 'name');
    const addresses = values.addresses();
    const own = this.#map?.forward(recordAt(machine, ['status', 'providerStatus']), context, machine);
    return {
      ...issuesOf(values, 'status.providerStatus', own),
      status: {
        machine: withoutUndefined({
          phase,
          nodeRef: node === undefined ? undefined : { name: node },
          addresses,
          lastUpdated: values.text('lastUpdated'),
          initialization:
            phase === undefined
              ? undefined
              : {
                  bootstrapDataSecretCreated: bootstrapped.has(phase),
                  infrastructureProvisioned: provisioned.has(phase),
                },
          conditions: conditions.current,
          deprecated: { v1beta1: { ...failure, conditions: conditions.deprecated } },
        }),
        infrastructure: withoutUndefined({ ...own?.value, addresses }),
      },
    };
  }

  /** Of a Cluster API machine and its infrastructure, with the conditions that controllers of Machine API set. */
  toMachineApi(
    { infrastructure, machine }: { readonly machine: JsonObject; readonly infrastructure: JsonObject },
    context: MachineContext,
    now: string,
  ): ConvertedStatus<JsonObject> {
    const values = new StatusValues(machine);
    const node = values.text('nodeRef', 'name');
    const own = this.#map?.backward(recordAt(infrastructure, ['status']), context, { machine, infrastructure });
    const type = this.#platform.status?.providerStatus;
    return {
      ...issuesOf(values, 'status', own),
      status: withoutUndefined({
        phase: values.phase(toMachineApiPhase),
        nodeRef: node === undefined ? undefined : { apiVersion: 'v1', kind: 'Node', name: node },
        addresses: values.addresses(),
        lastUpdated: values.text('lastUpdated'),
        errorReason: values.text('deprecated', 'v1beta1', 'failureReason'),
        errorMessage: values.failureMessage('deprecated', 'v1beta1', 'failureMessage'),
        conditions: machineApiConditions(machine, now),
        providerStatus:
          own === undefined || type === undefined
            ? undefined
            : { apiVersion: type.apiVersions[0], kind: type.kind, ...own.value },
      }),
    };
  }

  /**
   * The status to write over that of an existing object of either API, which is the very same one when nothing changes.
   * Fields and conditions that no conversion gives stay as they are.
   */
  mergeInto(object: JsonObject, converted: JsonObject, now: string): JsonObject {
    const found = object['status'];
    const owned = isOfPlatform(this.#platform, object) ? this.#ownedInfrastructure : ownedFields(object);
    const ownedByPlatform = object['kind'] === 'Machine' ? this.#ownedProviderStatus : [];
    return mergeStatus(isRecord(found) ? found : undefined, converted, { now, owned: [...owned, ...ownedByPlatform] });
  }
}

function isOfPlatform({ machine }: MachinePlatform, object: JsonObject): boolean {
  return object['kind'] === machine.kind.kind;
}

function issuesOf(
  values: StatusValues,
  prefix: string,
  own: Outcome | undefined,
): Pick<ConvertedStatus<unknown>, 'errors' | 'warnings'> {
  return {
    errors: [...values.errors, ...below(prefix, own?.errors ?? [])],
    // What else the controllers of an infrastructure machine report is theirs.
    warnings: [...values.warnings, ...below(prefix, own?.warnings ?? []).filter(({ code }) => code !== 'UnknownField')],
  };
}

function below(prefix: string, issues: readonly Issue[]): Issue[] {
  return issues.map(({ code, message, names, path }) => ({
    code,
    path: path === '' ? prefix : `${prefix}.${path}`,
    names: [...prefix.split('.'), ...names],
    message,
  }));
}

const count = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Of a longer one a server refuses the whole status. */
const MAX_SELECTOR = 4096;

/** The status of a MachineSet, in Cluster API. */
export function setStatusToClusterApi(set: JsonObject, selector: string | undefined, now: string): JsonObject {
  const status = recordAt(set, ['status']);
  const values = new StatusValues(set);
  const failure = withoutUndefined({
    failureReason: values.text('errorReason'),
    failureMessage: values.failureMessage('errorMessage'),
  });
  const labelSelector = values.text('labelSelector') ?? selector ?? '';
  const conditions = conditionsOfSet(set, now);
  return withoutUndefined({
    replicas: count(status['replicas']),
    readyReplicas: count(status['readyReplicas']),
    availableReplicas: count(status['availableReplicas']),
    // Machine API knows machines with all labels, which is not the same as machines of the newest template.
    upToDateReplicas: 0,
    selector: labelSelector === '' || labelSelector.length > MAX_SELECTOR ? undefined : labelSelector,
    conditions: conditions.current,
    deprecated: {
      v1beta1: {
        ...failure,
        fullyLabeledReplicas: count(status['fullyLabeledReplicas']),
        readyReplicas: count(status['readyReplicas']),
        availableReplicas: count(status['availableReplicas']),
        conditions: conditions.deprecated,
      },
    },
  });
}

/** The status of a MachineSet, in Machine API. */
export function setStatusToMachineApi(set: JsonObject): JsonObject {
  const status = recordAt(set, ['status']);
  const old = recordAt(status, ['deprecated', 'v1beta1']);
  return withoutUndefined({
    replicas: count(status['replicas']),
    fullyLabeledReplicas: count(old['fullyLabeledReplicas']),
    readyReplicas: count(old['readyReplicas'] ?? status['readyReplicas']),
    availableReplicas: count(old['availableReplicas'] ?? status['availableReplicas']),
    labelSelector: text(status['selector']),
    errorReason: old['failureReason'],
    errorMessage: old['failureMessage'],
  });
}

/** The status of a MachineHealthCheck, in Cluster API, where every condition has a reason and a message. */
export function checkStatusToClusterApi(check: JsonObject, now: string): JsonObject {
  const { conditions, ...counts } = checkStatus(check, now);
  if (!Array.isArray(conditions)) return counts;
  const named = (conditions as readonly JsonObject[]).map((each) => {
    const { severity: _, ...rest } = each;
    return { reason: 'RemediationAllowed', message: '', ...rest };
  });
  return { ...counts, conditions: named };
}

/** The status of a MachineHealthCheck, in Machine API: the counts are the same in both. */
export function checkStatus(check: JsonObject, now: string): JsonObject {
  const status = recordAt(check, ['status']);
  const conditions = remediationCondition(check, now);
  return withoutUndefined({
    expectedMachines: status['expectedMachines'],
    currentHealthy: status['currentHealthy'],
    remediationsAllowed: status['remediationsAllowed'],
    conditions: conditions.length === 0 ? undefined : conditions,
  });
}
