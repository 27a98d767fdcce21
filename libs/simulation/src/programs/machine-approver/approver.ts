import {
  Cache,
  cacheSource,
  Client,
  connectFile,
  defineOperator,
  Manager,
  readCertificateRequest,
  timestamp,
} from '@capstan/kube';
import type {
  CertificateRequest,
  ManagerOptions,
  ObjectEvent,
  OperatorDefinition,
  Request,
  Result,
} from '@capstan/kube';
import { deepEqual, isConflict, isNotFound } from '@capstan/meta';
import type { Transport } from '@capstan/meta';
import { requestPemOf, SIGNING_REQUESTS } from '../../guests/certificate-requests.js';
import type { SigningRequest } from '../../guests/certificate-requests.js';
import { decideApproval, isPending, tooManyPending } from './decisions.js';
import type { ApprovableMachine } from './decisions.js';

/** A group and version in which Machines are served. */
export interface MachineApi {
  readonly group: string;
  readonly version: string;
}

export interface MachineApproverOptions extends ManagerOptions {
  /** The way to the Machines. Default: they are beside the requests. */
  readonly machines?: Transport | undefined;
  /** Default: those of Machine API. */
  readonly machineApis?: readonly MachineApi[] | undefined;
  /** Default: all of them. */
  readonly machineNamespace?: string | undefined;
}

const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const NO_NODES: ReadonlySet<string> = new Set();
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
  const listMachines = async (signal: AbortSignal): Promise<readonly ApprovableMachine[]> => {
    const lists = kinds.map((kind) => machineClient.list<ApprovableMachine>(kind, { ...watched, signal }));
    return (await Promise.all(lists)).flatMap(({ items }) => items);
  };
  const seenMachines = (): ApprovableMachine[] =>
    kinds.flatMap((kind) => [...seen.informer<ApprovableMachine>(kind, watched).store.list()]);
  const readable = readings();
  const controller = manager.controller({
    name: 'csr-approver',
    reconcile: async ({ name }, { logger, signal }): Promise<Result | undefined> => {
      const { items } = await manager.cache.list<SigningRequest>(SIGNING_REQUESTS);
      const request = items.find(({ metadata }) => metadata.name === name);
      if (request === undefined || !isPending(request)) return undefined;
      const asked = readable(request);
      // By what watches told: for each of many requests as many objects as there are machines would be asked for.
      const first = decideApproval({ request, asked, machines: seenMachines(), nodes: NO_NODES });
      if (first.do === 'not-yet') return { requeueAfterMs: LOOK_AGAIN_MS };
      const [machines, nodes] = await Promise.all([listMachines(signal), manager.client.list(NODES, { signal })]);
      const counts = { machines: machines.length, nodes: nodes.items.length };
      const excess = tooManyPending(items, counts, clock.now());
      if (excess !== undefined) {
        logger.error('too many requests are pending, all are ignored', { ...excess });
        return { requeueAfterMs: LOOK_AGAIN_MS };
      }
      const names = new Set(nodes.items.map(({ metadata }) => metadata.name ?? ''));
      const decision = decideApproval({ request, asked, machines, nodes: names });
      if (decision.do !== 'approve') {
        logger.info('not approved', { reason: decision.reason });
        return decision.do === 'not-yet' ? { requeueAfterMs: LOOK_AGAIN_MS } : undefined;
      }
      return approve(manager, request, signal);
    },
  });
  controller.for(SIGNING_REQUESTS);
  // What a request waits for is mostly something its Machine is about to say.
  const pending = (): Request[] =>
    [...manager.cache.informer<SigningRequest>(SIGNING_REQUESTS).store.list()]
      .filter((request) => isPending(request))
      .map(({ metadata }) => ({ namespace: '', name: metadata.name ?? '' }));
  for (const kind of kinds)
    controller.from(cacheSource<ApprovableMachine>(seen, kind, watched), pending, [saysMoreOfNode]);
  if (seen !== manager.cache) manager.add({ name: 'machines', run: (signal) => seen.run(signal) }, 'cache');
  return manager;
}

function partsOf({ clock, logger, random }: Manager): Pick<Manager, 'clock' | 'logger' | 'random'> {
  return { clock, logger, random: random.split('machines') };
}

/** Whether a Machine says what it did not say before of where its node is. */
function saysMoreOfNode(event: ObjectEvent<ApprovableMachine>): boolean {
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
  const at = timestamp(clock);
  const approved = {
    type: 'Approved',
    status: 'True',
    reason: 'NodeCSRApprove',
    message: 'This CSR was approved by the Node CSR Approver',
    lastUpdateTime: at,
    lastTransitionTime: at,
  };
  const status = { ...request.status, conditions: [...(request.status?.conditions ?? []), approved] };
  try {
    await client.update(SIGNING_REQUESTS, { ...request, status }, { subresource: 'approval', signal });
  } catch (error) {
    // Somebody was faster, or what was read was old: another look tells which.
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

/** The approver as a program, with the flags of the original. */
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
      // The lease belongs beside the program, not into the cluster it works for; two that approve do no harm.
      leaderElection: workload === undefined ? options.leaderElection : undefined,
      machines: management === undefined ? own : await connectFile(context, management),
      machineApis: groups.map((group) => ({
        group,
        version: flags['api-group-version'] ?? VERSIONS[group] ?? 'v1beta1',
      })),
      machineNamespace: flags['machine-namespace'],
    });
  },
});
