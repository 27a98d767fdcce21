/** Who may act on each machine, by the objects of both APIs. */
import type { KubeObject } from '@capstan/meta';
import type { CommitEvent } from '../engine/event-log.js';
import type { SimulationState } from '../scenario.js';

const PAUSED_ANNOTATION = 'cluster.x-k8s.io/paused';
/** Machines of either API. */
export const MACHINE_API = 'machine.openshift.io/machines';
export const CLUSTER_API = 'cluster.x-k8s.io/machines';

interface Condition {
  readonly type: string;
  readonly status: string;
}
interface Status {
  readonly authoritativeAPI?: string;
  readonly conditions?: readonly Condition[];
  readonly v1beta2?: { readonly conditions?: readonly Condition[] };
}

function statusOf(object: KubeObject): Status {
  return (object['status'] ?? {}) as Status;
}

function reportsPaused(object: KubeObject): boolean {
  const { conditions = [], v1beta2 } = statusOf(object);
  return [...conditions, ...(v1beta2?.conditions ?? [])].some(
    ({ status, type }) => type === 'Paused' && status === 'True',
  );
}

/** Controllers that may act on a machine: from when they are allowed to until they acknowledge that they are not. */
export class Machine {
  mapi: KubeObject | undefined;
  capi: KubeObject | undefined;
  infrastructure: KubeObject | undefined;
  byMachineApi = false;
  byClusterApi = false;
  byProvider = false;

  /** Since when no controller may act; undefined while one may, or there is nothing to act on. */
  unattendedSince: number | undefined;

  get isUnattended(): boolean {
    const objects = [this.mapi, this.capi].filter((each) => each !== undefined);
    const isEnding = objects.some(({ metadata }) => metadata.deletionTimestamp != null);
    return objects.length > 0 && !isEnding && !this.byMachineApi && !this.byClusterApi;
  }

  get haveBoth(): boolean {
    return this.byMachineApi && (this.byClusterApi || this.byProvider);
  }

  apply(resource: string, object: KubeObject | undefined): void {
    if (resource === MACHINE_API) {
      this.mapi = object;
      this.byMachineApi = object !== undefined && mayMachineApi(object, this.byMachineApi);
    } else if (resource === CLUSTER_API) {
      this.capi = object;
      this.byClusterApi = object !== undefined && mayClusterApi(object, this.byClusterApi);
    } else {
      this.infrastructure = object;
      this.byProvider = object !== undefined && mayClusterApi(object, this.byProvider);
    }
  }
}

function mayMachineApi(object: KubeObject, before: boolean): boolean {
  if (statusOf(object).authoritativeAPI === 'MachineAPI') return true;
  return before && !reportsPaused(object);
}

function mayClusterApi(object: KubeObject, before: boolean): boolean {
  if (object.metadata.annotations?.[PAUSED_ANNOTATION] === undefined) return true;
  return before && !reportsPaused(object);
}

/** All machines by their name, which both copies and the instance have. */
export class Machines {
  readonly #byName = new Map<string, Machine>();
  readonly #resources: ReadonlySet<string>;

  /** `infrastructure` is the resource of infrastructure machines. */
  constructor(infrastructure: string, initial: SimulationState) {
    this.#resources = new Set([MACHINE_API, CLUSTER_API, infrastructure]);
    for (const resource of this.#resources)
      for (const object of initial.of(resource)) this.of(object.metadata.name ?? '').apply(resource, object);
  }

  of(name: string): Machine {
    const found = this.#byName.get(name) ?? new Machine();
    this.#byName.set(name, found);
    return found;
  }

  /** The machine that a commit was about. */
  apply({ change, name, object, resource }: CommitEvent): Machine | undefined {
    if (!this.#resources.has(resource)) return undefined;
    const machine = this.of(name);
    machine.apply(resource, change === 'delete' ? undefined : object);
    return machine;
  }

  entries(): Iterable<readonly [string, Machine]> {
    return this.#byName;
  }
}
