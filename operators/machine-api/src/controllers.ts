/** What each controller watches: one pair of controllers per kind, brought up by either copy. */
import { changedOutsideStatus, contentChanged, generationChanged, or } from '@capstan/kube';
import type { Controller, Manager, Predicate, Request, ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { MachineApiSettings } from './config.js';
import type { Descriptor, Tools } from './descriptors/descriptor.js';
import { reconcileHandover } from './handover/reconcile.js';
import { addHealthController } from './health/controller.js';
import { CLUSTERS, INFRASTRUCTURES } from './kinds.js';
import { machineApiMetrics, resourcesIn } from './metrics/metrics.js';
import { MIGRATION_CONTROLLER, SYNC_CONTROLLER } from './names.js';
import { WriteSpacing } from './shared/spacing.js';
import { addSecretController } from './secrets/controller.js';
import { Gatherer } from './sync/gather.js';
import type { GathererOptions } from './sync/gather.js';
import { reconcileSync } from './sync/reconcile.js';

/** Objects of a kind that are reconciled at once. */
const CONCURRENT = 8;
/** One change often comes as several events. */
const GATHER_MS = 20;
const BACKOFF = { baseMs: 500, maxMs: 30_000 };

interface Wiring {
  readonly manager: Manager;
  readonly settings: MachineApiSettings;
  readonly tools: Tools;
  readonly descriptor: Descriptor;
  /** Kinds whose objects own machines. */
  readonly sets: readonly Descriptor[];
}

const comesOrGoes: Predicate = (event) =>
  event.type !== 'update' ||
  (event.old.metadata.deletionTimestamp == null) !== (event.object.metadata.deletionTimestamp == null);

/** Adds the controllers of all kinds to a manager. */
export function addControllers(
  manager: Manager,
  {
    descriptors,
    nodePropagation,
    settings,
    tools,
  }: Pick<GathererOptions, 'descriptors' | 'nodePropagation'> & Pick<Wiring, 'settings' | 'tools'>,
): void {
  const { cache, client, clock } = manager;
  const gatherer = new Gatherer({ cache, client, clock, settings, tools, descriptors, nodePropagation });
  const spacing = new WriteSpacing(clock);
  const sync = { gatherer, client, spacing, recorder: manager.eventRecorder(SYNC_CONTROLLER) };
  const handover = { gatherer, client, recorder: manager.eventRecorder(MIGRATION_CONTROLLER) };
  addSecretController({ manager, settings, tools, gatherer });
  if (descriptors.some(({ kind }) => kind === 'MachineHealthCheck')) addHealthController({ manager, settings });
  manager.metrics.register(...machineApiMetrics(resourcesIn(manager, descriptors)));
  const sets = descriptors.filter(({ child }) => child === 'template');
  for (const descriptor of descriptors) {
    const wiring = { manager, settings, tools, descriptor, sets };
    const common = { maxConcurrent: CONCURRENT, gatherMs: GATHER_MS, backoff: BACKOFF };
    const of = (name: string): string => `${name}-${descriptor.kind.toLowerCase()}`;
    const reconcile = reconcileSync(sync, descriptor);
    watchSurroundings(
      wiring,
      watchCopies(wiring, manager.controller({ name: of(SYNC_CONTROLLER), reconcile, ...common })),
    );
    const hand = reconcileHandover(handover, descriptor);
    watchCopies(wiring, manager.controller({ name: of(MIGRATION_CONTROLLER), reconcile: hand, ...common }));
  }
}

/** Both copies have one name, and are reconciled by that of the copy in Machine API. */
function requestOf({ settings }: Wiring): (object: KubeObject) => Request[] {
  return ({ metadata: { name = '' } }) => [{ namespace: settings.namespaces.machineApi, name }];
}

function watchCopies(wiring: Wiring, controller: Controller): Controller {
  const { descriptor, tools } = wiring;
  const request = requestOf(wiring);
  const { clusterApi, machineApi: namespace } = wiring.settings.namespaces;
  const predicates = [contentChanged];
  controller
    .for(descriptor.machineApi, { namespace, predicates })
    .watches(descriptor.clusterApi, request, { namespace: clusterApi, predicates });
  if (descriptor.child === 'machine')
    controller.watches(tools.machines, machineOf(namespace), { predicates: [contentChanged] });
  return controller;
}

/** The machine of an infrastructure machine: its owner, or by its name. */
function machineOf(namespace: string): (object: KubeObject) => Request[] {
  return ({ metadata }) => {
    const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'Machine');
    return [{ namespace, name: owner?.name ?? metadata.name ?? '' }];
  };
}

function watchSurroundings(wiring: Wiring, controller: Controller): void {
  const { descriptor, manager, sets, settings, tools } = wiring;
  const { clusterApi, machineApi: namespace } = settings.namespaces;
  const every = (): Request[] =>
    [...manager.cache.informer(descriptor.machineApi).store.list()].map(({ metadata: { name = '' } }) => ({
      namespace,
      name,
    }));
  const changes: Predicate = or(generationChanged, comesOrGoes);
  controller
    .watches(CLUSTERS, every, { predicates: [changes] })
    .watches(tools.clusters, every, { predicates: [changedOutsideStatus] })
    .watches(INFRASTRUCTURES, every, { predicates: [contentChanged] });
  if (descriptor.child === 'template') controller.watches(tools.templates, setOf(namespace));
  if (descriptor.child === 'machine')
    for (const set of sets)
      controller
        .watches(set.machineApi, machinesOf(wiring), { namespace, predicates: [comesOrGoes] })
        .watches(set.clusterApi, machinesOf(wiring), { namespace: clusterApi, predicates: [comesOrGoes] });
}

function setOf(namespace: string): (object: KubeObject) => Request[] {
  return ({ metadata }) => {
    const name = metadata.labels?.['machine.openshift.io/cluster-api-machineset'];
    return name === undefined ? [] : [{ namespace, name }];
  };
}

/** Machines whose owner a set of that name is, in either API. */
function machinesOf({ descriptor, manager, settings }: Wiring): (set: KubeObject) => Request[] {
  const namespace = settings.namespaces.machineApi;
  const ownedIn = (kind: ResourceKind, set: KubeObject): KubeObject[] =>
    [...manager.cache.informer(kind).store.list()].filter(({ metadata }) =>
      metadata.ownerReferences?.some((owner) => owner.kind === set.kind && owner.name === set.metadata.name),
    );
  return (set) =>
    [descriptor.machineApi, descriptor.clusterApi].flatMap((kind) =>
      ownedIn(kind, set).map(({ metadata: { name = '' } }) => ({ namespace, name })),
    );
}
