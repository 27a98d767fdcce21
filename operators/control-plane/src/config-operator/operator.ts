import { MANAGED_BY_LABEL } from '@capstan/hosting';
import { BadUsage, Cache, Client, connectFile, defineOperator, Manager, withoutManagedFields } from '@capstan/kube';
import type { OperatorContext, OperatorDefinition, ResourceRef, Selection } from '@capstan/kube';
import type { KubeObject, Transport } from '@capstan/meta';
import { DefinitionInstaller } from './guest/definitions.js';
import type { Guest } from './guest/guest.js';
import { machinesByNode } from './guest/machine-nodes.js';
import { MANAGER, versionDefinition } from './guest/objects.js';
import { addHostedClusterController } from './hosted-cluster/controller.js';
import { addInPlaceController } from './in-place/controller.js';
import { CLUSTER_ROLE_BINDINGS } from './kinds.js';
import { addNodeLabelsController } from './node-labels/controller.js';

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
  addHostedClusterController(manager, guest, flags['hosted-control-plane']);
  const machinesOf = machinesByNode(manager.cache);
  addInPlaceController(manager, guest, machinesOf);
  addNodeLabelsController(manager, guest, machinesOf);
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
