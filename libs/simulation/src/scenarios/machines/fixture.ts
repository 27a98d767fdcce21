import { Client } from '@capstan/kube';
import { Cloud, infrastructureOperator, machineApproverOperator, noticesOf, PLATFORMS } from '@capstan/upstream';
import type { CloudApi, CloudPlatform, CloudTimings, Contract, InfrastructurePlatform } from '@capstan/upstream';
import { Fleet } from '../../guests/fleet.js';
import { GUEST_CONTROLLERS } from '../../guests/guest-cluster.js';
import type { GuestCluster } from '../../guests/guest-cluster.js';
import { Guests } from '../../guests/guests.js';
import { operatorProcess } from '../../runtime/process.js';
import type { ProcessDefinition } from '../../engine/process.js';
import type { Simulation } from '../../engine/simulation.js';
import { coreStandIn } from './core-stand-in.js';
import { CLUSTER, HOME } from './objects.js';

export interface MachineFixtureOptions {
  readonly platform: CloudPlatform;
  readonly contract?: Contract | undefined;
  readonly timings?: Partial<CloudTimings> | undefined;
  /** Whether the cloud notifies the provider of instances that change. Default false. */
  readonly hasNotices?: boolean | undefined;
  /** Stands between the provider and its cloud, to plant a mistake. */
  readonly between?: ((cloud: CloudApi) => CloudApi) | undefined;
}

/** A simulation with a cloud, a guest cluster that instances join, and the controllers in between. */
export interface MachineFixture {
  readonly row: InfrastructurePlatform;
  readonly cloud: Cloud;
  readonly guest: GuestCluster;
  /** As the controllers of the guest. */
  readonly guestClient: Client;
  readonly processes: readonly ProcessDefinition[];
}

const KUBECONFIG = '/etc/guest/kubeconfig';

/** Sets up everything that machines of one platform need. */
export function machineFixture(simulation: Simulation, options: MachineFixtureOptions): MachineFixture {
  const { between, contract, hasNotices = false, platform, timings } = options;
  const row = PLATFORMS[platform];
  const clock = simulation.timeline.clock();
  const random = simulation.random.split('stage');
  const cloud = new Cloud({ clock, random: random.split('cloud'), timings });
  const guests = new Guests({ clock, random: random.split('guests'), isSimulated: true });
  const guest = guests.ensure(HOME, CLUSTER);
  const connect = guests.known.transport.bind(guests.known);
  // Lives as long as the simulation: what happens on instances is not a process of the management cluster.
  void new Fleet({ cloud, clock, random: random.split('fleet'), connect: (to) => connect(to), isSimulated: true });
  const notices = hasNotices ? noticesOf(cloud) : undefined;
  const guestClient = new Client(guest.server, { clock, random: random.split('client'), user: GUEST_CONTROLLERS });
  return {
    row,
    cloud,
    guest,
    guestClient,
    processes: [
      operatorProcess(infrastructureOperator(cloud, { contract, endpointOf: () => ENDPOINT, between, notices }), {
        args: [`--platform=${platform}`, `--namespace=${HOME}`],
      }),
      operatorProcess(machineApproverOperator, {
        args: [
          '--apigroup=cluster.x-k8s.io',
          `--workload-cluster-kubeconfig=${KUBECONFIG}`,
          `--machine-namespace=${HOME}`,
        ],
        files: { [KUBECONFIG]: guest.kubeconfig() },
        servers: guests.known,
      }),
      coreStandIn(row, guestClient),
    ],
  };
}

const ENDPOINT = { host: 'api.one.example.com', port: 6443 };
