/** Completes the health checks of Cluster API: gathers both copies of their machines and the nodes, and deletes. */
import { changedOutsideStatus, contentChanged, eventSubject, performChange } from '@capstan/kube';
import type { Controller, EventRecorder, Manager, Predicate, Reconcile, Request, Result } from '@capstan/kube';
import { compileLabelSelector, controllerOf, ignoreNotFound, isConflict, isNotFound, minOf } from '@capstan/meta';
import type { KubeObject, LabelSelector } from '@capstan/meta';
import type { MachineApiSettings } from '../config.js';
import {
  CAPI_HEALTH_CHECKS,
  CAPI_MACHINE_SETS,
  CAPI_MACHINES,
  CLUSTERS,
  MAPI_HEALTH_CHECKS,
  MAPI_MACHINES,
  NODES,
} from '../kinds.js';
import { HEALTH_CONTROLLER } from '../names.js';
import type { Authored } from '../shared/model.js';
import { decideHealth, isActing } from './decide.js';
import type { HealthInputs, Remediation } from './decide.js';
import { nodeNameOf } from './examine.js';
import type { CheckedMachine, HealthCheck } from './examine.js';

const STALE_MS = 1_000;
/** While it may not delete: what changes that may be no event of a watched object. */
const RESTRICTED_MS = 60_000;
/** A check reads all its machines: many changes at once are one reason to do so. */
const GATHER_MS = 500;
const BACKOFF = { baseMs: 500, maxMs: 30_000 };
const CLUSTER_LABEL = 'cluster.x-k8s.io/cluster-name';

interface HealthWiring {
  readonly manager: Manager;
  readonly settings: MachineApiSettings;
}

/** Adds the controller; a request is a health check of Cluster API. */
export function addHealthController(wiring: HealthWiring): void {
  const { manager, settings } = wiring;
  const { clusterApi, machineApi } = settings.namespaces;
  const recorder = manager.eventRecorder(HEALTH_CONTROLLER);
  const controller: Controller = manager.controller({
    name: HEALTH_CONTROLLER,
    gatherMs: GATHER_MS,
    backoff: BACKOFF,
    reconcile: reconcileHealth(wiring, recorder),
  });
  const every = (): Request[] =>
    [...manager.cache.informer(CAPI_HEALTH_CHECKS).store.list()].map(({ metadata: { name = '' } }) => ({
      namespace: clusterApi,
      name,
    }));
  const predicates: readonly Predicate[] = [contentChanged];
  controller
    .for(CAPI_HEALTH_CHECKS, { namespace: clusterApi, predicates })
    .watches(MAPI_HEALTH_CHECKS, ({ metadata: { name = '' } }) => [{ namespace: clusterApi, name }], {
      namespace: machineApi,
      predicates,
    })
    .watches(CAPI_MACHINES, every, { namespace: clusterApi, predicates })
    .watches(MAPI_MACHINES, every, { namespace: machineApi, predicates })
    .watches(CAPI_MACHINE_SETS, every, { namespace: clusterApi, predicates: [changedOutsideStatus] })
    .watches(CLUSTERS, every, { predicates })
    .watches(NODES, every, { predicates });
}

function reconcileHealth(wiring: HealthWiring, recorder: EventRecorder): Reconcile {
  return async ({ name }, { signal }): Promise<Result | undefined> => {
    const inputs = gather(wiring, name);
    if (inputs === undefined) return undefined;
    const { againInMs, problem, remediations } = decideHealth(inputs);
    if (problem !== undefined) recorder.record(eventSubject(inputs.check), { type: 'Warning', ...problem });
    for (const remediation of remediations) {
      const isDone = await remediate(wiring, { inputs, remediation }, signal);
      if (!isDone) return { requeueAfterMs: STALE_MS };
      recorder.record(eventSubject(remediation.object), {
        type: 'Normal',
        reason: 'MachineDeleted',
        message: `Deleted for health check ${name} of Cluster API: ${remediation.why}`,
      });
    }
    const waits = [...(problem === undefined ? [] : [RESTRICTED_MS]), ...(againInMs === undefined ? [] : [againInMs])];
    return waits.length === 0 ? undefined : { requeueAfterMs: minOf(waits) };
  };
}

/** All from memory; undefined when the check decides nothing. */
function gather({ manager, settings }: HealthWiring, name: string): HealthInputs | undefined {
  const { cache, clock } = manager;
  const { clusterApi, machineApi } = settings.namespaces;
  const check = cache.informer<HealthCheck>(CAPI_HEALTH_CHECKS).store.get(`${clusterApi}/${name}`);
  if (check === undefined) return undefined;
  const { clusterName = '', selector = {} } = check.spec ?? {};
  const cluster = cache.informer(CLUSTERS).store.get(`${clusterApi}/${clusterName}`);
  const counterpart = cache.informer<Authored>(MAPI_HEALTH_CHECKS).store.get(`${machineApi}/${name}`);
  if (cluster === undefined || !isActing(check, counterpart, cluster)) return undefined;
  const matchLabels = { ...selector.matchLabels, [CLUSTER_LABEL]: clusterName };
  const machines = machinesOf({ manager, settings }, { ...selector, matchLabels }, counterpart?.spec?.['selector']);
  return { check, cluster, machines, nowMs: clock.now() };
}

/** Those that the check selects, and those that its copy selects and that have no copy themselves. */
function machinesOf(
  { manager: { cache }, settings }: HealthWiring,
  selector: LabelSelector,
  selectorOfCopy: unknown,
): readonly CheckedMachine[] {
  const { clusterApi, machineApi } = settings.namespaces;
  const [capiMachines, mapiMachines] = [
    cache.informer(CAPI_MACHINES).store,
    cache.informer<Authored>(MAPI_MACHINES).store,
  ];
  const [sets, nodes] = [cache.informer(CAPI_MACHINE_SETS).store, cache.informer(NODES).store];
  const chosen = <T extends KubeObject>(all: Iterable<T>, by: LabelSelector): T[] => {
    const matcher = compileLabelSelector(by);
    return [...all].filter(({ metadata }) => matcher.matches(metadata.labels ?? {}));
  };
  const pairs: readonly CheckedMachine[] = [
    ...chosen(capiMachines.list(), selector).map((capi) => ({
      capi,
      mapi: mapiMachines.get(`${machineApi}/${capi.metadata.name ?? ''}`),
    })),
    ...chosen(mapiMachines.list(), (selectorOfCopy ?? {}) as LabelSelector)
      .filter(({ metadata: { name = '' } }) => capiMachines.get(`${clusterApi}/${name}`) === undefined)
      .map((mapi) => ({ mapi })),
  ];
  return pairs.map((pair): CheckedMachine => {
    const owner = pair.capi && controllerOf(pair.capi);
    const set = owner?.kind === 'MachineSet' ? sets.get(`${clusterApi}/${owner.name}`) : undefined;
    const name = nodeNameOf(pair);
    const node: CheckedMachine['node'] = name === undefined ? undefined : (nodes.get(name) ?? 'missing');
    return { ...pair, set, node };
  });
}

/**
 * Deletes the machine as it was read, if that is still so with the node as the server has it: a node that is missing in
 * memory may be back. False when anything has changed, authority included.
 */
async function remediate(
  { manager }: HealthWiring,
  { inputs, remediation }: { readonly inputs: HealthInputs; readonly remediation: Remediation },
  signal: AbortSignal,
): Promise<boolean> {
  const { client, clock } = manager;
  const { by, machine, object } = remediation;
  const name = nodeNameOf(machine);
  const found = name === undefined ? undefined : await client.get(NODES, name).catch(ignoreNotFound);
  const seen: CheckedMachine = { ...machine, node: name === undefined ? undefined : (found ?? 'missing') };
  const machines = inputs.machines.map((each) => (each === machine ? seen : each));
  const again = decideHealth({ ...inputs, machines, nowMs: clock.now() });
  if (!again.remediations.some((each) => each.object === object)) return false;
  const kind = by === 'MachineAPI' ? MAPI_MACHINES : CAPI_MACHINES;
  try {
    await performChange(client, { verb: 'delete', kind, object, isUnchanged: true }, { signal });
    return true;
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return false;
    throw error;
  }
}
