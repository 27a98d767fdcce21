import type { HostedCluster, HostedControlPlane } from '@capstan/api/hypershift';
import { fakeReleases, reconcileHostedCluster, sidecarInjection, Turns } from '@capstan/hypershift/testing';
import type { HostedClusterDependencies } from '@capstan/hypershift/testing';
import { CONTROL_PLANE_COMPONENTS, HOSTED_CLUSTERS, HOSTED_CONTROL_PLANES, ReleaseLookups } from '@capstan/hosting';
import type { CapiEvidence, OperatorMode } from '@capstan/hosting';
import { Client, createCa, EventRecorder, kubeconfigJson, silentLogger, systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import type { ListOptions, Logger, ResourceKind } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { Condition, KubeObject, Transport } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import type { HostingPlatform } from '@capstan/provider';
import { testPlatform } from '@capstan/provider/testing';
import { Effects } from './effects.js';
import { secretsOfCluster, cluster, DEPLOYMENTS, NAMESPACES, secret, SECRETS } from './objects.js';

const START = Date.parse('2026-01-01T00:00:00Z');
const ROOT_CA = createCa({ commonName: 'root-ca', now: START, random: systemRandom('root-ca') });
/** Of the administrator of every hosted cluster here. */
export const KUBECONFIG = kubeconfigJson({
  server: 'https://api.example.com:6443',
  caPem: ROOT_CA.certPem,
  token: 'admin-token',
  name: 'cluster',
  userName: 'admin',
});
/** How Deployments get the proxy, where the operator is that on private types. */
export const PROXY = sidecarInjection({ image: 'proxy:1', native: true });
/** After so many times nothing new is to be expected. */
const MOST_PASSES = 12;

/** One HostedCluster on a server, reconciled when the test asks for it; the test stands in for all other controllers. */
export class Fixture {
  readonly client: Client;
  readonly effects: Effects;
  readonly clock = new ManualClock(START);
  readonly releases = fakeReleases();
  readonly image = this.releases.add('4.22.0');
  readonly namespace: string;
  readonly controlPlaneNamespace: string;
  readonly name: string;
  /** CRDs the management cluster does not have, by plural. */
  readonly undefinedKinds = new Set<string>(['podmonitors']);
  /** Which of several operators it is; takes effect with a restart. */
  mode: OperatorMode = { kind: 'standard' };
  /** In which groups the control plane has objects of Cluster API. */
  evidence: CapiEvidence = { standard: false, private: false };
  /** Warnings of the log. */
  readonly warnings: string[] = [];
  readonly logger: Logger = {
    ...silentLogger(),
    warn: (message, fields) => void this.warnings.push(`${message} ${JSON.stringify(fields)}`),
  };
  /** Images of control plane operators; takes effect with a restart. */
  operatorImages: HostedClusterDependencies['operatorImages'];
  /** Routes of the management cluster; undefined as long as it knows none. */
  routes: readonly KubeObject[] | undefined;
  readonly #seed: string;
  #platforms: readonly HostingPlatform[];
  #parts: HostedClusterDependencies;

  constructor(
    server: Transport,
    { name = 'example', namespace = 'clusters', platforms = [testPlatform()] }: FixtureOptions = {},
  ) {
    this.client = new Client(server);
    this.effects = new Effects(server);
    this.namespace = namespace;
    this.name = name;
    this.controlPlaneNamespace = `${namespace}-${name.replaceAll('.', '-')}`;
    this.#seed = name;
    this.#platforms = platforms;
    this.#parts = this.#fresh();
  }

  /** Creates the Secrets that a cluster refers to, and the cluster with the given changes. */
  async begin(changes: Parameters<typeof cluster>[1] = {}): Promise<void> {
    await this.make(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.namespace } });
    for (const object of secretsOfCluster(this.namespace)) await this.make(SECRETS, object);
    await this.make(HOSTED_CLUSTERS, cluster(this, changes));
  }

  /** Makes an object unless it is there. */
  async make(kind: ResourceKind, object: KubeObject): Promise<void> {
    const { name = '', namespace } = object.metadata;
    if ((await this.find(kind, name, namespace)) === undefined) await this.client.create(kind, object);
  }

  /** The operator as it is after a restart: it remembers nothing. */
  restart(platforms: readonly HostingPlatform[] = this.#platforms): void {
    this.#platforms = platforms;
    this.#parts = this.#fresh();
  }

  /** One reconcile; gives what it rejected with. */
  async pass(): Promise<unknown> {
    const { name, namespace } = this;
    const { signal } = new AbortController();
    try {
      await reconcileHostedCluster(this.#parts, { name, namespace }, { signal });
    } catch (error) {
      return error;
    }
    return undefined;
  }

  /** Reconciles until nothing is written any more. */
  async settle(play: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    for (let pass = 0; pass < MOST_PASSES; pass += 1) {
      const before = this.effects.lines.length;
      const error = await this.pass();
      if (error !== undefined) throw error;
      const isQuiet = this.effects.lines.length === before;
      await play();
      if (isQuiet) return;
    }
    throw new Error(`never came to rest; the last it did: ${this.effects.lines.slice(-10).join(', ')}`);
  }

  async find<T extends KubeObject>(kind: ResourceKind, name: string, namespace?: string): Promise<T | undefined> {
    return this.client.get<T>(kind, name, { namespace }).catch(ignoreNotFound);
  }

  async hostedCluster(): Promise<HostedCluster> {
    return this.client.get<HostedCluster>(HOSTED_CLUSTERS, this.name, { namespace: this.namespace });
  }

  async condition(type: string): Promise<string> {
    const { status } = await this.hostedCluster();
    const found = (status?.conditions as readonly Condition[] | undefined)?.find((each) => each.type === type);
    return found === undefined ? 'none' : `${found.status} ${found.reason}: ${found.message}`;
  }

  /** Changes a HostedCluster as its user does. */
  async change(value: object): Promise<void> {
    const { name, namespace } = this;
    await this.client.patch(HOSTED_CLUSTERS, name, { type: 'merge', value }, { namespace });
  }

  /** Kubernetes runs every Deployment of the control plane. */
  async runDeployments(): Promise<void> {
    const namespace = this.controlPlaneNamespace;
    for (const { metadata, ...rest } of (await this.client.list(DEPLOYMENTS, { namespace })).items) {
      const { replicas = 1 } = rest['spec'] as { replicas?: number };
      const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
      const conditions = [{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: '' }];
      const value = { status: { observedGeneration: metadata.generation, ...counts, conditions } };
      await this.client.patch(
        DEPLOYMENTS,
        metadata.name ?? '',
        { type: 'merge', value },
        { namespace, subresource: 'status' },
      );
    }
  }

  /** Sets the status as the control plane operator does: everything is healthy, except for the changes. */
  async reportControlPlane(changes: object = {}, conditions: Readonly<Record<string, string>> = {}): Promise<void> {
    const namespace = this.controlPlaneNamespace;
    const controlPlane = await this.find<HostedControlPlane>(HOSTED_CONTROL_PLANES, this.name, namespace);
    if (controlPlane === undefined) return;
    await this.make(SECRETS, secret(namespace, 'root-ca', { 'ca.crt': ROOT_CA.certPem, 'ca.key': ROOT_CA.keyPem }));
    await this.make(SECRETS, secret(namespace, 'admin-kubeconfig', { kubeconfig: KUBECONFIG }));
    await this.make(SECRETS, secret(namespace, 'kubeadmin-password', { password: 'aaaaa-bbbbb' }));
    const entry = { state: 'Completed', version: '4.22.0', image: this.image, verified: false };
    const times = { startedTime: '2026-01-01T00:00:00Z', completionTime: '2026-01-01T00:10:00Z' };
    const reported = {
      Available: 'True',
      EtcdAvailable: 'True',
      KubeAPIServerAvailable: 'True',
      InfrastructureReady: 'True',
      Degraded: 'False',
      ValidHostedControlPlaneConfiguration: 'True',
      ...conditions,
    };
    const status = {
      ready: true,
      initialized: true,
      externalManagedControlPlane: true,
      kubeConfig: { name: 'admin-kubeconfig', key: 'kubeconfig' },
      kubeadminPassword: { name: 'kubeadmin-password' },
      controlPlaneEndpoint: { host: 'api.example.com', port: 6443 },
      versionStatus: {
        desired: { image: this.image, version: '4.22.0' },
        history: [{ ...entry, ...times }],
        observedGeneration: 1,
        availableUpdates: null,
      },
      conditions: Object.entries(reported).map(([type, status]) => ({
        type,
        status,
        reason: 'AsExpected',
        message: 'All is well',
        lastTransitionTime: '2026-01-01T00:05:00Z',
      })),
      ...changes,
    };
    const after = { ...controlPlane, status: status as unknown as HostedControlPlane['status'] } as HostedControlPlane;
    await this.client.update(HOSTED_CONTROL_PLANES, after, { subresource: 'status' });
  }

  /** The control plane operator has a component. */
  async component(name: string, status: 'False' | 'True'): Promise<void> {
    const namespace = this.controlPlaneNamespace;
    const metadata = { name, namespace };
    const object = { apiVersion: 'hypershift.openshift.io/v1beta1', kind: 'ControlPlaneComponent', metadata, spec: {} };
    await this.make(CONTROL_PLANE_COMPONENTS, object);
    const condition = {
      type: 'Available',
      status,
      reason: 'AsExpected',
      message: '',
      lastTransitionTime: '2026-01-01T00:05:00Z',
    };
    const value = { status: { conditions: [condition] } };
    await this.client.patch(
      CONTROL_PLANE_COMPONENTS,
      name,
      { type: 'merge', value },
      { namespace, subresource: 'status' },
    );
  }

  /** The other controllers do their part until the cluster is available and nothing changes any more. */
  async becomeAvailable(): Promise<void> {
    await this.settle(async () => {
      await this.runDeployments();
      await this.reportControlPlane();
    });
    await this.settle();
  }

  /** Texts of the events about the cluster. */
  async events(): Promise<string[]> {
    await this.#parts.recorder.flush();
    const { items } = await this.client.list({ group: '', version: 'v1', plural: 'events', namespaced: true }, this);
    return items.map((event) => `${String(event['type'])} ${String(event['reason'])}: ${String(event['message'])}`);
  }

  #fresh(): HostedClusterDependencies {
    const { client: admin, clock } = this;
    const random = systemRandom(this.#seed);
    const client = new Client(this.effects, { random, userAgent: 'hypershift-operator' });
    return {
      client,
      // Straight from the server: a stale cache is tested elsewhere.
      cache: {
        get: (kind, name, options) => admin.get(kind, name, options),
        list: async <T extends KubeObject>(
          kind: Parameters<Client['list']>[0],
          { fieldSelector, ...options }: ListOptions = {},
        ) => {
          const { items, ...list } = await admin.list<T>(kind, options);
          const [, infraID] = fieldSelector?.split('=') ?? [];
          const isMeant = (object: T): boolean => (object['spec'] as { infraID?: string }).infraID === infraID;
          return { ...list, items: infraID === undefined ? items : items.filter(isMeant) };
        },
        canRead: ({ plural }) => !this.undefinedKinds.has(plural),
      },
      clock,
      random,
      drawsKeys: true,
      recorder: new EventRecorder({
        client: admin,
        clock,
        random,
        logger: silentLogger(),
        component: 'hypershift-operator',
      }),
      platforms: new HostingPlatforms(this.#platforms),
      releases: new ReleaseLookups(this.releases),
      turns: new Turns({ mode: this.mode, client, evidence: (side) => Promise.resolve(this.evidence[side]) }),
      logger: this.logger,
      sidecar: this.mode.kind === 'private' ? PROXY : undefined,
      operatorImages: this.operatorImages,
      env: {},
      appliedSettings: new Map(),
      routes: { in: () => Promise.resolve(this.routes) },
    };
  }
}

export interface FixtureOptions {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly platforms?: readonly HostingPlatform[] | undefined;
}
