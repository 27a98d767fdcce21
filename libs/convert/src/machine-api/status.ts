/** Status of machines and sets in the other API. Nothing is preserved: an absent field is unknown. */
import type { JsonObject } from '@capstan/meta';
import { getAt, isRecord } from '../engine/path.js';
import type { Issue } from '../engine/rule.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import { conditionsOfMachine, conditionsOfSet } from './status-conditions.js';
import type { MachineContext, MachinePlatform } from './platform.js';

/** A status in the other API, and what it has no field for. */
export interface ConvertedStatus<T> {
  readonly status: T;
  readonly errors: readonly Issue[];
}

/** The status of a Cluster API machine and of its infrastructure. */
export interface MachineStatuses {
  readonly machine: JsonObject;
  readonly infrastructure: JsonObject;
}

const addressTypes = new Set(['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS']);
const provisioned = new Set(['Provisioned', 'Running', 'Deleting']);
const bootstrapped = new Set(['Running', 'Deleting']);

/** Phases of Cluster API that have another name in Machine API, or none. */
const phases: Readonly<Record<string, string | undefined>> = {
  Provisioning: 'Provisioning',
  Provisioned: 'Provisioned',
  Running: 'Running',
  Updating: 'Running',
  Deleting: 'Deleting',
  Deleted: 'Deleting',
  Failed: 'Failed',
};

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const recordAt = (object: JsonObject, path: readonly string[]): JsonObject => {
  const found = getAt(object, path);
  return isRecord(found) ? found : {};
};

/** Without the fields that are undefined. */
function withoutUndefined(fields: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function addressErrors(status: JsonObject): Issue[] {
  const { addresses } = status;
  return (Array.isArray(addresses) ? addresses : []).flatMap((address: unknown, index): Issue[] => {
    const type: unknown = isRecord(address) ? address['type'] : undefined;
    if (typeof type === 'string' && addressTypes.has(type)) return [];
    const path = `status.addresses[${index}].type`;
    const names = ['status', 'addresses', String(index), 'type'];
    return [{ path, names, message: `must be one of ${[...addressTypes].join(', ')}` }];
  });
}

/** The rules of a platform's own status as a map of their own; `undefined` where it has none. */
function platformStatus({ status }: MachinePlatform): TwoWayMap<MachineContext> | undefined {
  return status === undefined ? undefined : new TwoWayMap<MachineContext>({ rules: status.rules, unknown: 'warning' });
}

/** Statuses of one platform. */
export class StatusConverter {
  readonly #platform: MachinePlatform;
  readonly #map: TwoWayMap<MachineContext> | undefined;

  constructor(platform: MachinePlatform) {
    this.#platform = platform;
    this.#map = platformStatus(platform);
  }

  /** Of a Machine of Machine API. `now` is the transition time of its conditions. */
  toClusterApi(machine: JsonObject, context: MachineContext, now: string): ConvertedStatus<MachineStatuses> {
    const status = recordAt(machine, ['status']);
    const phase = text(status['phase']);
    const failure = withoutUndefined({ failureReason: status['errorReason'], failureMessage: status['errorMessage'] });
    const conditions = conditionsOfMachine(machine, now);
    const node = text(getAt(status, ['nodeRef', 'name']));
    const own = this.#map?.forward(recordAt(status, ['providerStatus']), context, machine);
    return {
      errors: [...addressErrors(status), ...below('status.providerStatus', own?.errors ?? [])],
      status: {
        machine: withoutUndefined({
          phase,
          nodeRef: node === undefined ? undefined : { name: node },
          addresses: status['addresses'],
          lastUpdated: status['lastUpdated'],
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
        infrastructure: withoutUndefined({ ...own?.value, addresses: status['addresses'] }),
      },
    };
  }

  /** Of a Cluster API machine and its infrastructure. Conditions of Machine API are left to their controllers. */
  toMachineApi(
    { infrastructure, machine }: { readonly machine: JsonObject; readonly infrastructure: JsonObject },
    context: MachineContext,
  ): ConvertedStatus<JsonObject> {
    const status = recordAt(machine, ['status']);
    const failure = recordAt(status, ['deprecated', 'v1beta1']);
    const node = text(getAt(status, ['nodeRef', 'name']));
    const own = this.#map?.backward(recordAt(infrastructure, ['status']), context, { machine, infrastructure });
    const type = this.#platform.status?.providerStatus;
    return {
      errors: [...addressErrors(status), ...below('status', own?.errors ?? [])],
      status: withoutUndefined({
        phase: phases[text(status['phase']) ?? ''],
        nodeRef: node === undefined ? undefined : { apiVersion: 'v1', kind: 'Node', name: node },
        addresses: status['addresses'],
        lastUpdated: status['lastUpdated'],
        errorReason: failure['failureReason'],
        errorMessage: failure['failureMessage'],
        providerStatus:
          own === undefined || type === undefined
            ? undefined
            : { apiVersion: type.apiVersions[0], kind: type.kind, ...own.value },
      }),
    };
  }
}

function below(prefix: string, issues: readonly Issue[]): Issue[] {
  return issues.map(({ message, names, path }) => ({
    path: path === '' ? prefix : `${prefix}.${path}`,
    names: [...prefix.split('.'), ...names],
    message,
  }));
}

const count = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** The status of a MachineSet, in Cluster API. */
export function setStatusToClusterApi(set: JsonObject, selector: string | undefined, now: string): JsonObject {
  const status = recordAt(set, ['status']);
  const failure = withoutUndefined({ failureReason: status['errorReason'], failureMessage: status['errorMessage'] });
  const conditions = conditionsOfSet(set, now);
  return withoutUndefined({
    replicas: count(status['replicas']),
    readyReplicas: count(status['readyReplicas']),
    availableReplicas: count(status['availableReplicas']),
    // Machine API knows machines with all labels, which is not the same as machines of the newest template.
    upToDateReplicas: 0,
    selector: text(status['labelSelector']) ?? selector,
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

/** The status of a MachineHealthCheck: the counts are the same in both APIs. */
export function checkStatus(check: JsonObject): JsonObject {
  const status = recordAt(check, ['status']);
  return withoutUndefined({
    expectedMachines: status['expectedMachines'],
    currentHealthy: status['currentHealthy'],
    remediationsAllowed: status['remediationsAllowed'],
  });
}
