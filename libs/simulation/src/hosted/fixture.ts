import { Client } from '@capstan/kube';
import type { ReleaseProvider } from '@capstan/release';
import { RegistryReleases } from '@capstan/release';
import { Cloud, noticesOf } from '@capstan/upstream';
import type { CloudTimings } from '@capstan/upstream';
import { Fleet } from '../guests/fleet.js';
import { KnownServers } from '../guests/known-servers.js';
import { operatorProcess } from '../runtime/process.js';
import type { PodSidecar } from '../runtime/translated-transport.js';
import { FixtureRegistry } from '../registry/fixture-registry.js';
import type { FixtureRelease } from '../registry/fixture-registry.js';
import { carriedTransport } from '../registry/ways.js';
import { collectorProcess, namespaceProcess } from '../scenarios/processes.js';
import { HostedGuests } from './hosted-guests.js';
import { IgnitionServers } from './ignition.js';
import { loadBalancers, namedBalancer } from './load-balancers.js';
import type { BalancedService } from './load-balancers.js';
import { hostedComponents, operatorOf } from './components.js';
import type { AnyOperator } from './components.js';
import type { ProcessHost } from './process-host.js';
import { workloadsProcess } from './workloads.js';

/** The operators of hosted clusters, which this package cannot import; each is given the releases. */
export interface HostedOperators {
  /** Runs from the beginning. */
  readonly hypershift: (releases: ReleaseProvider) => AnyOperator;
  /** Run where a container of their name is deployed. */
  readonly controlPlane: (releases: ReleaseProvider) => AnyOperator;
  readonly config: (releases: ReleaseProvider) => AnyOperator;
}

/** How the operator of hosted clusters runs; several may run next to each other. */
export interface OperatorInstance {
  /** Of its process. Default: that of the operator. */
  readonly name?: string | undefined;
  readonly args?: readonly string[] | undefined;
  /** In addition to the environment of all instances. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The API proxy of its pod. */
  readonly sidecar?: PodSidecar | undefined;
}

export interface HostedFixtureOptions {
  readonly operators: HostedOperators;
  /** What the registry holds. */
  readonly releases: readonly FixtureRelease[];
  readonly timings?: Partial<CloudTimings> | undefined;
  /** How long pods take until they are ready. Default 2 s. */
  readonly startMs?: number | undefined;
  /** The environment of the operator. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Default: one, without flags. */
  readonly instances?: readonly OperatorInstance[] | undefined;
}

/** A simulation in which clusters can be hosted. */
export interface HostedFixture {
  readonly cloud: Cloud;
  readonly guests: HostedGuests;
  readonly registry: FixtureRegistry;
  /** References of the releases, in their order. */
  readonly images: readonly string[];
  /** Why new pods of Deployments are refused, by `namespace/name`: to be set by a test. */
  readonly refusals: Map<string, string>;
  /** Runs one more operator of hosted clusters. */
  startOperator(instance: OperatorInstance): void;
  /** As the administrator of a guest, by its control plane namespace. */
  guestClient(namespace: string): Client;
}

/** The registry of the simulation. */
export const FIXTURE_REGISTRY = 'registry.capstan.internal';
/** Where the operator runs. */
export const OPERATOR_NAMESPACE = 'hypershift';
const ADMIN = { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] };

/** Sets up the cloud, the registry, what runs in control planes, and the operator; the kinds must be there. */
export async function hostedFixture(host: ProcessHost, options: HostedFixtureOptions): Promise<HostedFixture> {
  const { env, instances = [{}], operators, startMs, timings } = options;
  const { clock, isSimulated, random } = host;
  const known = new KnownServers(clock);
  const guests = new HostedGuests({ clock, random: random.split('guests'), known });
  const ignition = new IgnitionServers();
  const registry = new FixtureRegistry({ host: FIXTURE_REGISTRY });
  const images: string[] = [];
  const refusals = new Map<string, string>();
  for (const release of options.releases) images.push((await registry.add(release)).byTag);
  const transport = carriedTransport(
    () => registry,
    (_, act) => Promise.resolve(act()),
  );
  const releases = new RegistryReleases({ transport, clock });
  const cloud = new Cloud({ clock, random: random.split('cloud'), timings });
  const infrastructure = { notices: noticesOf(cloud) };
  const components = hostedComponents({ cloud, guests, ignition, infrastructure, isPaced: isSimulated, releases });
  const byContainer = {
    ...components.byContainer,
    'control-plane-operator': operators.controlPlane(releases),
    'hosted-cluster-config-operator': operators.config(releases),
  };
  host.spawn(
    workloadsProcess({
      host,
      startMs,
      refusalOf: (namespace, name) => refusals.get(`${namespace}/${name}`),
      servers: known,
      operatorOf: (container) => operatorOf({ ...components, byContainer }, container),
      stopped: (namespace, name) => {
        if (name === 'kube-apiserver') guests.get(namespace)?.lower();
      },
    }),
  );
  const opened = (service: BalancedService, host: string): void => {
    const { name, namespace = '' } = service.metadata;
    if (name === 'kube-apiserver')
      for (const { port } of service.spec?.ports ?? []) guests.answersAt(namespace, `https://${host}:${port}`);
  };
  host.spawn(operatorProcess(loadBalancers(namedBalancer(opened)), { isReliable: true, isPartOfEnvironment: true }));
  host.spawn(collectorProcess());
  host.spawn(namespaceProcess());
  const startOperator = (instance: OperatorInstance): void =>
    host.spawn(
      operatorProcess(operators.hypershift(releases), {
        ...instance,
        namespace: OPERATOR_NAMESPACE,
        env: { ...env, ...instance.env },
      }),
    );
  for (const instance of instances) startOperator(instance);
  joinFleet(host, { cloud, known, ignition, releases: options.releases });
  return {
    cloud,
    guests,
    registry,
    images,
    refusals,
    startOperator,
    guestClient: (namespace) =>
      new Client(guests.ensure(namespace).server, {
        clock,
        random: random.split(`as admin of ${namespace}`),
        user: ADMIN,
      }),
  };
}

/** Lets instances join the clusters that their user data names. */
function joinFleet(
  { clock, isSimulated, random }: ProcessHost,
  given: {
    readonly cloud: Cloud;
    readonly known: KnownServers;
    readonly ignition: IgnitionServers;
    readonly releases: HostedFixtureOptions['releases'];
  },
): void {
  const { cloud, ignition, known, releases } = given;
  const kubelets = new Map(releases.map((each) => [each.version, `v${each.kubernetesVersion}`]));
  void new Fleet({
    cloud,
    clock,
    random: random.split('fleet'),
    connect: (connection) => known.transport(connection),
    fetchIgnition: ignition.fetch,
    kubeletOf: (release) => kubelets.get(release),
    isSimulated,
  });
}
