import {
  Cache,
  cacheSource,
  Client,
  connectFile,
  connectOwnFile,
  defineOperator,
  Manager,
  matchesObject,
  requestFor,
} from '@capstan/kube';
import type { ManagerOptions, ObjectEvent, OperatorDefinition, ReadonlyStore, Request, Result } from '@capstan/kube';
import { deepEqual, ignoreNotFound, isConflict, isNotFound, readCertificateRequest } from '@capstan/meta';
import type { CertificateRequest, Transport } from '@capstan/meta';
import { CLIENT_SIGNER, requestPemOf, SIGNING_REQUESTS, withCondition } from '../signing-requests.js';
import type { SigningRequest } from '../signing-requests.js';
import {
  decideApproval,
  isPending,
  mayBeTooMany,
  MOST_BEYOND_MACHINES,
  nodeOf,
  nodesOf,
  tooManyPending,
} from './decisions.js';
import type { ApprovableMachine } from './decisions.js';
import { KnownMachines } from './machines.js';

/** A group and version in which Machines are served. */
export interface MachineApi {
  readonly group: string;
  readonly version: string;
}

export interface MachineApproverOptions extends ManagerOptions {
  /** The transport to the server with the Machines. Default: that of the requests. */
  readonly machines?: Transport | undefined;
  /** Default: those of Machine API. */
  readonly machineApis?: readonly MachineApi[] | undefined;
  /** Default: all of them. */
  readonly machineNamespace?: string | undefined;
}

const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const NO_NODES: ReadonlySet<string> = new Set();
/** Finds undecided requests by the node they are for. */
const PENDING_INDEX = 'pending';
const LOOK_AGAIN_MS = 10_000;
const CONFLICT_MS = 2_000;
/** The version of each group that is read. */
const VERSIONS: Readonly<Record<string, string>> = {
  'cluster.x-k8s.io': 'v1beta2',
  'machine.openshift.io': 'v1beta1',
};
const MACHINE_API: MachineApi = { group: 'machine.openshift.io', version: 'v1beta1' };

/** Approves what the kubelets of known Machines ask for. */
export function machineApprover(options: MachineApproverOptions): Manager {
  const { machineApis = [MACHINE_API], machineNamespace, machines: transport } = options;
  const manager = new Manager(options);
  const { clock } = manager;
  const machineClient =
    transport === undefined
      ? manager.client
      : new Client(transport, { clock, random: manager.random.split('machines'), ...options.client });
  const kinds = machineApis.map((api) => ({ ...api, plural: 'machines', namespaced: true }));
  const seen = transport === undefined ? manager.cache : new Cache({ ...partsOf(manager), client: machineClient });
  const watched = { namespace: machineNamespace };
  const known = new KnownMachines({ kinds, namespace: machineNamespace, cache: seen, client: machineClient });
  const readable = readings();
  const store = requestsOf(manager, readable);
  /** Why no request is trusted now, when many are pending. Only then the number of machines matters. */
  const excess = async (signal: AbortSignal): Promise<ReturnType<typeof tooManyPending>> => {
    if (store.size <= MOST_BEYOND_MACHINES) return undefined;
    const requests = [...store.list()];
    if (!mayBeTooMany(requests, clock.now())) return undefined;
    const [machines, nodes] = await Promise.all([known.count(signal), manager.client.list(NODES, { signal })]);
    return tooManyPending(requests, { machines, nodes: nodes.items.length }, clock.now());
  };
  /** Who asks to become a node must not be one yet; asked of the server, for heartbeats of nodes are many. */
  const nodesInTheWay = async (
    { spec }: SigningRequest,
    node: string,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> => {
    if (node === '' || spec.signerName !== CLIENT_SIGNER) return NO_NODES;
    const found = await manager.client.get(NODES, node, { signal }).catch(ignoreNotFound);
    return found === undefined ? NO_NODES : new Set([node]);
  };
  const controller = manager.controller({
    name: 'csr-approver',
    reconcile: async ({ name }, { logger, signal }): Promise<Result | undefined> => {
      const request = store.get(name);
      if (request === undefined || !isPending(request)) return undefined;
      const asked = readable(request);
      const node = asked === undefined ? '' : nodeOf(asked);
      // From the caches: a Machine that is seen late enqueues its requests itself.
      const machines = known.seen(node);
      const first = decideApproval({ request, asked, machines, nodes: NO_NODES });
      if (first.do === 'not-yet') return { requeueAfterMs: LOOK_AGAIN_MS };
      const tooMany = await excess(signal);
      if (tooMany !== undefined) {
        logger.error('too many requests are pending, all are ignored', { ...tooMany });
        return { requeueAfterMs: LOOK_AGAIN_MS };
      }
      const nodes = await nodesInTheWay(request, node, signal);
      const decision = decideApproval({ request, asked, machines, nodes });
      if (decision.do !== 'approve') {
        logger.info('certificate signing request not approved', { reason: decision.reason });
        return decision.do === 'not-yet' ? { requeueAfterMs: LOOK_AGAIN_MS } : undefined;
      }
      return approve(manager, request, signal);
    },
  });
  // What is decided needs no look: neither at what was approved here, nor when it is signed.
  controller.for<SigningRequest>(SIGNING_REQUESTS, { predicates: [matchesObject(isPending)] });
  // What a request waits for is mostly something its Machine is about to report.
  const pending = (machine: ApprovableMachine): Request[] =>
    nodesOf(machine).flatMap((node) => store.byIndex(PENDING_INDEX, node).map(requestFor));
  for (const kind of kinds)
    controller.from(cacheSource<ApprovableMachine>(seen, kind, watched), pending, [nodeInfoChanged]);
  if (seen !== manager.cache) manager.add({ name: 'machines', run: (signal) => seen.run(signal) }, 'cache');
  return manager;
}

/** The requests there are, undecided ones also by their nodes. */
function requestsOf({ cache }: Manager, readable: ReturnType<typeof readings>): ReadonlyStore<SigningRequest> {
  cache.addIndexer<SigningRequest>(SIGNING_REQUESTS, PENDING_INDEX, (request) => {
    const asked = isPending(request) ? readable(request) : undefined;
    return asked === undefined ? [] : [nodeOf(asked)];
  });
  return cache.informer<SigningRequest>(SIGNING_REQUESTS).store;
}

function partsOf({ clock, logger, random }: Manager): Pick<Manager, 'clock' | 'logger' | 'random'> {
  return { clock, logger, random: random.split('machines') };
}

/** Whether a Machine reports more than before about its node. */
function nodeInfoChanged(event: ObjectEvent<ApprovableMachine>): boolean {
  if (event.type !== 'update') return true;
  const [before, now] = [event.old.status, event.object.status];
  return before?.nodeRef?.name !== now?.nodeRef?.name || !deepEqual(before?.addresses, now?.addresses);
}

/** What requests ask to be certified, each read once: signatures take longer to check than all the rest. */
function readings(): (request: SigningRequest) => CertificateRequest | undefined {
  const known = new WeakMap<SigningRequest, { readonly asked: CertificateRequest | undefined }>();
  return (request) => {
    const reading = known.get(request) ?? { asked: readRequest(request) };
    known.set(request, reading);
    return reading.asked;
  };
}

function readRequest(request: SigningRequest): CertificateRequest | undefined {
  try {
    return readCertificateRequest(requestPemOf(request));
  } catch {
    return undefined;
  }
}

async function approve(
  { client, clock }: Manager,
  request: SigningRequest,
  signal: AbortSignal,
): Promise<Result | undefined> {
  const reason = 'NodeCSRApprove';
  const message = 'This CSR was approved by the Node CSR Approver';
  const approved = withCondition(request, clock, { type: 'Approved', reason, message });
  try {
    await client.update(SIGNING_REQUESTS, approved, { subresource: 'approval', signal });
  } catch (error) {
    // Another client was faster, or what was read was stale: the next reconcile finds out.
    if (isConflict(error)) return { requeueAfterMs: CONFLICT_MS };
    if (!isNotFound(error)) throw error;
  }
  return undefined;
}

const FLAGS = {
  'api-group-version': 'string',
  apigroup: 'list',
  config: 'string',
  'disable-status-controller': 'boolean',
  'machine-namespace': 'string',
  'management-cluster-kubeconfig': 'string',
  'max-concurrent-reconciles': 'number',
  'workload-cluster-kubeconfig': 'string',
} as const;

/** The approver as an operator, with the flags of upstream. */
export const machineApproverOperator: OperatorDefinition<typeof FLAGS> = defineOperator({
  name: 'machine-approver',
  flags: FLAGS,
  build: async (context) => {
    const { flags, options } = context;
    const [workload, management] = [flags['workload-cluster-kubeconfig'], flags['management-cluster-kubeconfig']];
    const own = options.transport;
    const groups = flags.apigroup ?? [MACHINE_API.group];
    return machineApprover({
      ...options,
      transport: workload === undefined ? own : await connectFile(context, workload),
      // The Lease belongs in the cluster that the approver runs in, not in the one it serves; two approvers do no harm.
      leaderElection: workload === undefined ? options.leaderElection : undefined,
      machines: management === undefined ? own : await connectOwnFile(context, management),
      machineApis: groups.map((group) => ({
        group,
        version: flags['api-group-version'] ?? VERSIONS[group] ?? 'v1beta1',
      })),
      machineNamespace: flags['machine-namespace'],
    });
  },
});
