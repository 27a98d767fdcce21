import type { Machine, MachineSet } from '@capstan/api/cluster-api';
import type { HostedControlPlane } from '@capstan/api/hypershift';
import { HOSTED_CONTROL_PLANES, MACHINE_SETS, MACHINES, MANAGED_BY_LABEL } from '@capstan/hosting';
import {
  BadUsage,
  Cache,
  cacheSource,
  changedExceptStatus,
  Client,
  connectFile,
  defineOperator,
  contentChanged,
  generationChanged,
  annotationsChanged,
  labelsChanged,
  OwnWrites,
  Manager,
  or,
  requestFor,
  withoutManagedFields,
} from '@capstan/kube';
import type { OperatorContext, OperatorDefinition, Predicate, Request, ResourceRef, Selection } from '@capstan/kube';
import { controllerOf, deepEqual } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';
import { DefinitionInstaller } from './guest/definitions.js';
import type { Guest } from './guest/ensure.js';
import { MANAGER, versionDefinition } from './guest/objects.js';
import { reconcileInPlace } from './in-place/reconcile.js';
import { targetOf } from './in-place/view.js';
import type { GuestNode } from './in-place/view.js';
import { CLUSTER_ROLE_BINDINGS, CLUSTER_VERSIONS, NODES } from './kinds.js';
import { reconcileNodes } from './nodes/reconcile.js';
import { reconcileGuest } from './reconcile.js';

/** Nodes register by the dozen, and each updates itself several times. */
const GATHER_MS = 250;
/** How many there are is good to know, and nothing waits for it. */
const COUNT_MS = 10_000;
const MACHINE_NODE_INDEX = 'nodeRef';

const FLAGS = {
  'cluster-signer-ca-file': 'string',
  'enable-ci-debug-output': 'boolean',
  'hosted-control-plane': 'string',
  'initial-ca-file': 'string',
  'platform-type': 'string',
  'registry-overrides': 'string',
  'target-kubeconfig': 'string',
} as const;

/** The operator that reconciles the inside of a hosted cluster; it runs next to the control plane. */
export const configOperator: OperatorDefinition<typeof FLAGS> = defineOperator({
  name: MANAGER,
  flags: FLAGS,
  build: async (context) => {
    const path = context.flags['target-kubeconfig'];
    if (path === undefined) throw new BadUsage('--target-kubeconfig must be given');
    return build(context, await connectFile(context, path));
  },
});

/** Of the hosted cluster nothing is kept that nobody asks for: it may be large. */
function guestSelection({ plural }: ResourceRef): Selection {
  return plural === CLUSTER_ROLE_BINDINGS.plural ? { labelSelector: `${MANAGED_BY_LABEL}=${MANAGER}` } : {};
}

function build({ flags, namespace: own, options }: OperatorContext<typeof FLAGS>, transport: Transport): Manager {
  const namespace = flags.namespace ?? own;
  const manager = new Manager({
    ...options,
    // One of it runs, and its lease would be one more thing that is written for ever.
    leaderElection: undefined,
    cache: { ...options.cache, selectionOf: () => ({ namespace }), transform: withoutManagedFields },
  });
  const guest = guestOf(manager, options, transport);
  addGuestController(manager, guest, flags['hosted-control-plane']);
  addNodeControllers(manager, guest);
  return manager;
}

/** The hosted cluster, whose cache starts when the kinds it watches are there. */
function guestOf(manager: Manager, options: OperatorContext<typeof FLAGS>['options'], transport: Transport): Guest {
  const { clock, logger } = manager;
  const random = manager.random.split('guest');
  const client = new Client(transport, { ...options.client, clock, random });
  const cache = new Cache({ client, clock, random, logger, selectionOf: guestSelection, transform: leaner });
  manager.add(new DefinitionInstaller({ client, clock, logger, definition: versionDefinition() }), 'webhook');
  manager.add({ name: 'guest cache', run: (signal) => cache.run(signal), ready: () => cache.whenSynced() }, 'cache');
  return { client, cache };
}

/** Nodes list every image they have: most of a node, and nobody here asks. */
function leaner(object: KubeObject): KubeObject {
  const lean = withoutManagedFields(object);
  const status = lean['status'] as { images?: unknown } | undefined;
  if (status?.images === undefined) return lean;
  const { images: _, ...rest } = status;
  return Object.freeze({ ...lean, status: Object.freeze(rest) });
}

function addGuestController(manager: Manager, guest: Guest, only: string | undefined): void {
  const { cache, client, clock } = manager;
  const planes = cache.informer<KubeObject>(HOSTED_CONTROL_PLANES);
  const all = (): Request[] =>
    [...planes.store.list()].filter(({ metadata }) => only === undefined || metadata.name === only).map(requestFor);
  const nodeCountWrites = new OwnWrites<HostedControlPlane>(({ status }) => status?.nodeCount);
  const controller = manager.controller({
    name: 'hosted-cluster',
    gatherMs: GATHER_MS,
    reconcile: reconcileGuest({ client, cache, clock, guest, nodeCountWrites }),
  });
  const isOurs: Predicate = ({ object }) => only === undefined || object.metadata.name === only;
  // Without the count that is written here: it would be looked at again at once, and have changed again.
  controller.for<HostedControlPlane>(HOSTED_CONTROL_PLANES, {
    predicates: [isOurs, or(changedExceptStatus('nodeCount'), nodeCountWrites.changedByOthers)],
  });
  controller.from(cacheSource(guest.cache, CLUSTER_VERSIONS, {}), all);
  controller.from(cacheSource(guest.cache, CLUSTER_ROLE_BINDINGS, {}), all);
  // Only that they come and go, and of that only how many there are now.
  controller.from(cacheSource(guest.cache, NODES, {}), all, [({ type }) => type !== 'update'], COUNT_MS);
}

/** Changes of the labels and annotations that a Machine copies to its node, once it has one. */
const nodeMetadataChanged: Predicate<Machine> = (event) => {
  const node = event.object.status?.nodeRef?.name;
  if (node === undefined) return false;
  const isNew = event.type !== 'update' || event.old.status?.nodeRef?.name !== node;
  return isNew || labelsChanged(event) || annotationsChanged(event);
};

/** Changes of the metadata and taints that a node gets from its Machine. */
const nodeChanged: Predicate<GuestNode> = (event) => {
  const isNew = event.type !== 'update' || !deepEqual(event.old.spec?.taints, event.object.spec?.taints);
  return isNew || labelsChanged(event) || annotationsChanged(event);
};

function addNodeControllers(manager: Manager, guest: Guest): void {
  const { cache, client, clock } = manager;
  cache.addIndexer<Machine>(MACHINES, MACHINE_NODE_INDEX, ({ status }) => [status?.nodeRef?.name ?? '']);
  const machines = cache.informer<Machine>(MACHINES);
  const machinesOf = ({ metadata }: KubeObject): Machine[] =>
    machines.store.byIndex(MACHINE_NODE_INDEX, metadata.name ?? '');
  const sets = cache.informer<MachineSet>(MACHINE_SETS);
  // Most machines are replaced, not upgraded. What a set is asked for later brings it up itself.
  const setOf = (machine: KubeObject): Request[] => {
    const owner = controllerOf(machine);
    if (owner?.kind !== MACHINE_SETS.kind) return [];
    const { namespace = '' } = machine.metadata;
    const set = sets.store.get(`${namespace}/${owner.name}`);
    return set === undefined || targetOf(set) === undefined ? [] : [{ namespace, name: owner.name }];
  };
  manager
    .controller({
      name: 'in-place-upgrader',
      gatherMs: GATHER_MS,
      reconcile: reconcileInPlace({ client, cache, clock, guest }),
    })
    .for(MACHINE_SETS, { predicates: [or(generationChanged, annotationsChanged)] })
    .watches(MACHINES, setOf, { predicates: [contentChanged] })
    .from(cacheSource(guest.cache, NODES, {}), (node) => machinesOf(node).flatMap(setOf));
  manager
    .controller({ name: 'node-labels', gatherMs: GATHER_MS, reconcile: reconcileNodes({ cache, guest }) })
    .for<Machine>(MACHINES, { predicates: [nodeMetadataChanged] })
    .from(cacheSource<GuestNode>(guest.cache, NODES, {}), (node) => machinesOf(node).map(requestFor), [nodeChanged]);
}
