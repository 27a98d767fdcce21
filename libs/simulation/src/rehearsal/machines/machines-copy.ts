import { ApiServer } from '@capstan/apiserver';
import type { StoreSnapshot } from '@capstan/apiserver';
import { parseApiVersion } from '@capstan/meta';
import type { KubeObject, Random, UserInfo } from '@capstan/meta';
import type { GroupMapping } from '@capstan/translate';
import { Cloud, instanceIdOf, OWNER_TAG, PLATFORMS } from '@capstan/upstream';
import type { CloudEvent, CloudPlatform, CloudState, Instance, InstanceAddress } from '@capstan/upstream';
import type { Simulation } from '../../engine/simulation.js';
import type { SimulationState } from '../../scenario.js';
import { snapshotOf } from '../copy.js';

/** What there is of the machines of a hosted cluster besides their objects; plain data. */
export interface MachinesState {
  /** The instances that the Machines name, no more and no less. */
  readonly cloud: CloudState;
  /** The API server of the hosted cluster, with a Node for each Machine that has one. */
  readonly guest: StoreSnapshot;
}

/** A Machine or an infrastructure machine, with the fields by which its instance is known. */
interface CopiedMachine extends KubeObject {
  readonly spec?: {
    readonly clusterName?: string;
    readonly providerID?: string;
    readonly infrastructureRef?: { readonly kind?: string; readonly name?: string };
  };
  readonly status?: {
    readonly addresses?: readonly InstanceAddress[];
    readonly nodeInfo?: object;
    readonly nodeRef?: { readonly name?: string };
  };
}

const NODES = { group: '', plural: 'nodes', namespaced: false } as const;
const NODES_PATH = '/api/v1/nodes';
const ADMIN: UserInfo = { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] };
/** Of instances of which no provider is known: none asks for them. */
const NO_PROVIDER: CloudPlatform = 'agent';

/** What the objects of a machine do not contain of its instance. */
const UNKNOWN = {
  type: 'copied',
  image: 'copied',
  region: '',
  zone: '',
  userData: '',
  caller: '',
  launchedAt: 0,
} as const;

/** The machines of a copy as its objects describe them. */
export function machinesStateOf(state: SimulationState, mapping: GroupMapping): MachinesState {
  const machines = new Map<string, CopiedMachine>();
  const infrastructure = new Map<string, CopiedMachine>();
  for (const [, objects] of state.entries())
    for (const object of objects as readonly CopiedMachine[]) {
      if (mapping.side(parseApiVersion(object.apiVersion).group) === undefined) continue;
      if (object.kind === 'Machine') machines.set(object.spec?.providerID ?? '', object);
      else infrastructure.set(`${object.kind}/${object.metadata.name ?? ''}`, object);
    }
  machines.delete('');
  const instances = [...machines.values()].map((machine) => {
    const { kind = '', name = '' } = machine.spec?.infrastructureRef ?? {};
    return instanceOf(machine, infrastructure.get(`${kind}/${name}`));
  });
  const nodes = [...machines.values()].flatMap((machine) => {
    const name = nodeNameOf(machine);
    return name === undefined ? [] : [node(name, machine.spec?.providerID ?? '', machine.status?.nodeInfo)];
  });
  return {
    cloud: { instances, launched: instances.length },
    guest: snapshotOf(nodes.map((object) => ({ resource: NODES, object }))),
  };
}

function instanceOf(machine: CopiedMachine, infrastructure: CopiedMachine | undefined): Instance {
  const { name = '', uid = '' } = infrastructure?.metadata ?? machine.metadata;
  const { clusterName = '', providerID = '' } = machine.spec ?? {};
  return {
    ...UNKNOWN,
    platform: platformOf(infrastructure),
    token: uid,
    name,
    tags: { [OWNER_TAG]: uid, Name: name, [`kubernetes.io/cluster/${clusterName}`]: 'owned' },
    id: instanceIdOf(providerID),
    providerId: providerID,
    state: 'running',
    addresses: addressesOf(infrastructure, machine),
    hostname: nodeNameOf(machine) ?? name,
  };
}

function addressesOf(...machines: readonly (CopiedMachine | undefined)[]): readonly InstanceAddress[] {
  return (
    machines.flatMap((machine) => (machine?.status?.addresses === undefined ? [] : [machine.status.addresses]))[0] ?? []
  );
}

function nodeNameOf({ status }: CopiedMachine): string | undefined {
  return status?.nodeRef?.name;
}

function platformOf(infrastructure: CopiedMachine | undefined): CloudPlatform {
  const known = Object.values(PLATFORMS).find(({ prefix }) => infrastructure?.kind === `${prefix}Machine`);
  return known?.platform ?? NO_PROVIDER;
}

/** What a Node reports of itself where its Machine does not. */
const NODE_INFO: Readonly<Record<string, string>> = {
  architecture: 'amd64',
  bootID: '',
  containerRuntimeVersion: '',
  kernelVersion: '',
  kubeProxyVersion: '',
  kubeletVersion: '',
  machineID: '',
  operatingSystem: 'linux',
  osImage: '',
  systemUUID: '',
};

/** A copy does not know how its Nodes are: they are well. */
const NODE_CONDITIONS: readonly (readonly [type: string, status: string, reason: string])[] = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID'],
  ['Ready', 'True', 'KubeletReady'],
];

function node(name: string, providerID: string, nodeInfo: object = NODE_INFO): KubeObject {
  const now = '2026-01-01T00:00:00Z';
  const conditions = NODE_CONDITIONS.map(([type, status, reason]) => {
    const times = { lastHeartbeatTime: now, lastTransitionTime: now };
    return { type, status, reason, message: reason, ...times };
  });
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: `node-${name}`, creationTimestamp: now },
    spec: { providerID },
    status: { conditions, nodeInfo },
  } as unknown as KubeObject;
}

/** The cloud and the hosted cluster of one run. Instances that are created join, those that end leave. */
export class MachinesCopy {
  readonly cloud: Cloud;
  readonly guest: ApiServer;

  constructor(simulation: Pick<Simulation, 'timeline'>, random: Random, { cloud, guest }: MachinesState) {
    const clock = simulation.timeline.clock();
    this.cloud = new Cloud({ clock, random: random.split('cloud'), state: cloud });
    this.guest = new ApiServer({ clock, random: random.split('guest'), snapshot: guest });
    this.cloud.subscribe((event) => this.#changed(event));
  }

  /** All there is now, to begin another run with. */
  get state(): MachinesState {
    return { cloud: this.cloud.state, guest: this.guest.snapshot() };
  }

  #changed({ instance, operation }: CloudEvent): void {
    if (operation !== 'change' || instance === undefined) return;
    const { hostname, providerId, state } = instance;
    if (state === 'running') this.#write('POST', NODES_PATH, node(hostname, providerId));
    else if (state === 'terminated') this.#write('DELETE', `${NODES_PATH}/${hostname}`);
  }

  #write(method: string, target: string, value?: unknown): void {
    const headers = { 'content-type': 'application/json' };
    const body = value === undefined ? undefined : ({ type: 'value', value } as const);
    void this.guest.handle({ method, target, headers, body, user: ADMIN });
  }
}
