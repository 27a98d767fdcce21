/** What each controller watches: one pair of controllers per kind, brought up by either copy. */
import { changedOutsideStatus, contentChanged, generationChanged, or } from '@capstan/kube';
import type { Controller, Manager, Predicate, Request, ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { MachineApiSettings } from './config.js';
import type { Descriptor, Tools } from './descriptors/descriptor.js';
import { reconcileHandover } from './handover/reconcile.js';
import { CAPI_MACHINE_SETS, CLUSTERS, INFRASTRUCTURES, MAPI_MACHINE_SETS } from './kinds.js';
import { machineApiMetrics, resourcesIn } from './metrics/metrics.js';
import { MIGRATION_CONTROLLER, SYNC_CONTROLLER } from './names.js';
import { WriteSpacing } from './shared/spacing.js';
import { addSecretController } from './secrets/controller.js';
import { Gatherer } from './sync/gather.js';
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
}

const comesOrGoes: Predicate = (event) =>
  event.type !== 'update' ||
  (event.old.metadata.deletionTimestamp == null) !== (event.object.metadata.deletionTimestamp == null);

/** Adds the controllers of all kinds to a manager. */
export function addControllers(
  manager: Manager,
  {
    descriptors,
    settings,
    tools,
  }: { readonly descriptors: readonly Descriptor[] } & Pick<Wiring, 'settings' | 'tools'>,
): void {
  const { cache, client, clock } = manager;
  const gatherer = new Gatherer({ cache, client, clock, settings, tools });
  const spacing = new WriteSpacing(clock);
  const sync = { gatherer, client, spacing, recorder: manager.eventRecorder(SYNC_CONTROLLER) };
  const handover = { gatherer, client, recorder: manager.eventRecorder(MIGRATION_CONTROLLER) };
  addSecretController({ manager, settings, tools, gatherer });
  manager.metrics.register(...machineApiMetrics(resourcesIn(manager, descriptors)));
  for (const descriptor of descriptors) {
    const wiring = { manager, settings, tools, descriptor };
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
  const namespace = wiring.settings.namespaces.machineApi;
  controller
    .for(descriptor.machineApi, { predicates: [contentChanged] })
    .watches(descriptor.clusterApi, request, { predicates: [contentChanged] });
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
  const { descriptor, manager, settings, tools } = wiring;
  const namespace = settings.namespaces.machineApi;
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
    for (const kind of [MAPI_MACHINE_SETS, CAPI_MACHINE_SETS])
      controller.watches(kind, machinesOf(wiring), { predicates: [comesOrGoes] });
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
  const namedIn = (kind: ResourceKind, name: string): KubeObject[] =>
    [...manager.cache.informer(kind).store.list()].filter(({ metadata }) =>
      metadata.ownerReferences?.some((owner) => owner.kind === 'MachineSet' && owner.name === name),
    );
  return ({ metadata: { name: set = '' } }) =>
    [descriptor.machineApi, descriptor.clusterApi].flatMap((kind) =>
      namedIn(kind, set).map(({ metadata: { name = '' } }) => ({ namespace, name })),
    );
}
