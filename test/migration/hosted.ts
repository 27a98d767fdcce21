import type { HostedCluster } from '@capstan/api/hypershift';
import { kinds as hypershiftKinds } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import { storedAlone } from '@capstan/cli/infrastructure-kinds';
import { acknowledgement, HOSTED_CLUSTERS, lockOf, NODE_POOLS } from '@capstan/hosting';
import {
  announceMigration,
  continueMigration,
  DEFAULT_MIGRATION_SETTINGS,
  MigrationProgress,
  startMigration,
  translationProbe,
} from '@capstan/hypershift';
import type { EndedMigration } from '@capstan/hosting';
import type { MigrationParts, SidecarInjection } from '@capstan/hypershift';
import { Client, EventRecorder, patchFrom, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import { ignoreNotFound, isAlreadyExists, setCondition } from '@capstan/meta';
import type { Condition, KubeObject, Transport } from '@capstan/meta';
import type { ReleaseError } from '@capstan/release';
import { hostedClusterOn, nodePoolOn } from '@capstan/provider/testing';
import { MAPPING } from './fixture.js';
import type { MigrationFixture } from './fixture.js';
import { PlayedPods } from './pods.js';

export const DEPLOYMENTS: ResourceKind = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
  kind: 'Deployment',
};
const HOME = 'clusters';
const NONE = { type: 'None', key: 'none', hasSettings: false } as const;
/** As long as a controller waits after an error. */
const RETRY_MS = 10_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const OF_OPERATOR = ['control-plane-operator', 'cluster-api', 'capi-provider'];
const OF_CONTROL_PLANE = ['cluster-autoscaler', 'machine-approver'];
const HEALTH_PORT = { name: 'proxy-health', containerPort: 8081, protocol: 'TCP' };
const PROXY = { name: 'kube-apiserver-proxy', image: 'capstan:test', ports: [HEALTH_PORT] };

interface Deployment extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly template: { readonly spec: { readonly initContainers?: readonly { readonly name: string }[] } };
  };
}

/** A sidecar as an init container and nothing else: what else it changes has tests of its own. */
export const TEST_SIDECAR: SidecarInjection = {
  has: (deployment) => sidecarsOf(deployment as Deployment).some(({ name }) => name === PROXY.name),
  add: (deployment) => withSidecars(deployment as Deployment, [{ ...PROXY }]),
  remove: (deployment) => withSidecars(deployment as Deployment, undefined),
};

function sidecarsOf({ spec }: Deployment): readonly { readonly name: string }[] {
  return spec.template.spec.initContainers ?? [];
}

function withSidecars(deployment: Deployment, initContainers: readonly object[] | undefined): Deployment {
  const { initContainers: _, ...pod } = deployment.spec.template.spec;
  const spec = initContainers === undefined ? pod : { ...pod, initContainers };
  return {
    ...deployment,
    spec: { ...deployment.spec, template: { ...deployment.spec.template, spec } },
  } as Deployment;
}

/** Who is shown what a migration logs, and which Events it records, in an order that is always the same; how it looks at pods. */
export type MigrationObservers = Partial<
  Pick<MigrationParts, 'isPodless' | 'logger' | 'probeTranslation' | 'recorder' | 'settings'>
>;

/** The kinds of hosted clusters. */
export function hostedKinds(): readonly KubeObject[] {
  return hypershiftKinds.map((kind) => crd(storedAlone(kind), { conversion: 'none' }) as unknown as KubeObject);
}

/** One hosted cluster whose operators, workloads and control plane the test plays; time is its own. */
export class HostedMigration {
  readonly clock: ManualClock;
  readonly fixture: MigrationFixture;
  /** What the other components do between two looks; a test takes some away. */
  readonly actors: Set<'control-plane-operator' | 'deployments' | 'operators'> = new Set([
    'control-plane-operator',
    'deployments',
    'operators',
  ]);
  /** Further components, after the others. */
  playOthers: () => Promise<void> = () => Promise.resolve();
  /** Images of the control plane operator: those that support private types, and overrides by minor version. */
  readonly images = { supported: new Set(['i']), overrides: new Map<string, string>() };
  /** Whether the provider goes on while the Cluster is paused. */
  ignoresClusterPause = false;
  /** What the registry answers instead, while it does. */
  registryError: ReleaseError | undefined;
  /** Pods of the Deployments; without them Deployments have none. */
  #pods: PlayedPods | undefined;
  #parts: MigrationParts;
  /** Migrations that were reported to have succeeded, by every process. */
  readonly completed: EndedMigration[] = [];
  #progress = this.#newProgress();

  private constructor(fixture: MigrationFixture, transport: Transport, clock = new ManualClock(START)) {
    this.fixture = fixture;
    this.clock = clock;
    this.#parts = this.partsOn(transport);
  }

  /** One that the server has already, whose clock may be that of the server. */
  static on(fixture: MigrationFixture, clock?: ManualClock): HostedMigration {
    return new HostedMigration(fixture, fixture.transport, clock);
  }

  /** A hosted cluster whose control plane has the namespace of the fixture; needs {@link hostedKinds}. */
  static async create(fixture: MigrationFixture): Promise<HostedMigration> {
    const hosted = new HostedMigration(fixture, fixture.transport);
    await hosted.ensureHome();
    return hosted;
  }

  /** The namespace of the HostedCluster, which others may have as well. */
  async ensureHome(): Promise<void> {
    const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: HOME } };
    await this.fixture.client.create(namespaces, object).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }

  get name(): string {
    return this.fixture.namespace.slice(HOME.length + 1);
  }

  get namespace(): string {
    return this.fixture.namespace;
  }

  /** The migration as it is after a restart of the operator, its requests sent through another transport if one is given. */
  restart(transport: Transport = this.fixture.transport, observers: MigrationObservers = {}): void {
    this.#parts = { ...this.partsOn(transport), ...observers };
    this.#progress = this.#newProgress();
  }

  #newProgress(): MigrationProgress {
    return new MigrationProgress((ended) => this.completed.push(ended));
  }

  /** From now on Deployments have pods. */
  async playPods(): Promise<PlayedPods> {
    this.#pods = new PlayedPods(this.fixture);
    this.restart();
    await this.play();
    return this.#pods;
  }

  hostedCluster(): Promise<HostedCluster> {
    return this.fixture.client.get<HostedCluster>(HOSTED_CLUSTERS, this.name, { namespace: HOME });
  }

  /** Locks the cluster. */
  async lock(): Promise<void> {
    await startMigration(this.#parts, await this.hostedCluster(), new AbortController());
  }

  /** One look of the migration, and what everybody else does after it; gives when it looks again. */
  async look(): Promise<number | undefined> {
    const { signal } = new AbortController();
    const result = await continueMigration(this.#parts, await this.hostedCluster(), { memory: this.#progress, signal });
    await this.play();
    return result.requeueAfterMs;
  }

  /** Looks until the lock is gone; time passes as the migration asks for. Throws what a look throws, unless it is retried. */
  async run(isRetried: (error: unknown) => boolean = () => false, maxLooks = 300): Promise<HostedCluster> {
    for (let looks = 0; looks < maxLooks; looks += 1) {
      const cluster = await this.hostedCluster();
      if (lockOf(cluster).holder !== 'migration') {
        await announceMigration(this.#parts, cluster, { memory: this.#progress, signal: new AbortController().signal });
        return this.hostedCluster();
      }
      const afterMs = await this.look().catch(async (error: unknown) => {
        if (!isRetried(error)) throw error;
        await this.play();
        return RETRY_MS;
      });
      if (afterMs !== undefined) await this.clock.advance(afterMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { status } = await this.hostedCluster();
    throw new Error(`the migration did not end: ${JSON.stringify(status?.conditions)}`);
  }

  /** The condition of the migration, as users read it. */
  async condition(): Promise<string> {
    const conditions = (await this.hostedCluster()).status?.conditions as readonly Condition[] | undefined;
    const found = conditions?.find(({ type }) => type === 'PrivateCAPIMigration');
    return found === undefined ? 'none' : `${found.status} ${found.reason}: ${found.message}`;
  }

  deployments(): Promise<readonly Deployment[]> {
    return this.fixture.client.list<Deployment>(DEPLOYMENTS, { namespace: this.namespace }).then(({ items }) => items);
  }

  /** Everybody but the migration. */
  async play(): Promise<void> {
    if (this.actors.has('operators')) await this.#acknowledge();
    if (this.actors.has('control-plane-operator')) await this.#convergeControlPlane();
    if (this.actors.has('deployments')) await this.#runDeployments();
    await this.playOthers();
  }

  async #acknowledge(): Promise<void> {
    const { client } = this.fixture;
    const cluster = await this.hostedCluster();
    const lock = lockOf(cluster);
    const { items } = await client.list(NODE_POOLS, { namespace: HOME });
    const pools = items.filter(({ spec }) => (spec as { clusterName?: string }).clusterName === this.name);
    const now = '2026-01-01T00:00:00Z';
    for (const [kind, before] of [[HOSTED_CLUSTERS, cluster], ...pools.map((pool) => [NODE_POOLS, pool])] as [
      ResourceKind,
      KubeObject,
    ][]) {
      const status = (before['status'] ?? {}) as { conditions?: readonly Condition[] };
      const active = {
        type: 'ReconciliationActive',
        status: 'True',
        reason: 'ReconciliationActive',
        message: 'Reconciliation is active',
      } as const;
      const update = lock.holder === 'migration' ? acknowledgement(lock.journal.id) : active;
      const conditions = setCondition(
        status.conditions ?? [],
        { ...update, lastTransitionTime: now } as Condition,
        now,
      );
      await patchFrom(
        client,
        kind,
        { before, after: { ...before, status: { ...status, conditions } } },
        { subresource: 'status' },
      );
    }
  }

  async #convergeControlPlane(): Promise<void> {
    const { client } = this.fixture;
    const all = await this.deployments();
    const operator = all.find(({ metadata }) => metadata.name === 'control-plane-operator');
    if (operator === undefined || (operator.spec.replicas ?? 1) === 0) return;
    const isPrivate = TEST_SIDECAR.has(operator);
    for (const before of all) {
      if (!OF_CONTROL_PLANE.includes(before.metadata.name ?? '')) continue;
      const after = (isPrivate ? TEST_SIDECAR.add(before) : TEST_SIDECAR.remove(before)) as Deployment;
      await patchFrom(client, DEPLOYMENTS, { before, after });
    }
  }

  async #runDeployments(): Promise<void> {
    const { client } = this.fixture;
    for (const before of await this.deployments()) {
      const { replicas = 1 } = before.spec;
      const counts = (await this.#pods?.run(before)) ?? {
        replicas,
        updatedReplicas: replicas,
        readyReplicas: replicas,
        availableReplicas: replicas,
      };
      const status = { observedGeneration: before.metadata.generation, ...counts };
      await patchFrom(client, DEPLOYMENTS, { before, after: { ...before, status } }, { subresource: 'status' });
    }
  }

  /** What HyperShift has before its upgrade, but for the Cluster API objects. */
  async begin(): Promise<void> {
    const { client } = this.fixture;
    const api = 'hypershift.openshift.io/v1beta1';
    const metadata = { name: this.name, namespace: HOME, annotations: { 'hypershift.openshift.io/scope': 'legacy' } };
    await create(client, HOSTED_CLUSTERS, {
      apiVersion: api,
      kind: 'HostedCluster',
      metadata,
      spec: hostedClusterOn(NONE).spec,
    });
    const pool = { ...nodePoolOn(NONE).spec, clusterName: this.name };
    await create(client, NODE_POOLS, {
      apiVersion: api,
      kind: 'NodePool',
      metadata: { name: `${this.name}-workers`, namespace: HOME },
      spec: pool,
    });
    for (const name of [...OF_OPERATOR, ...OF_CONTROL_PLANE]) {
      const labels = { app: name };
      const template = { metadata: { labels }, spec: { containers: [{ name, image: 'i' }] } };
      const spec = { replicas: 1, selector: { matchLabels: labels }, template };
      await create(client, DEPLOYMENTS, {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name, namespace: this.namespace },
        spec,
      });
    }
    await this.play();
  }

  /** What the migration of any cluster is carried out with. */
  partsOn(transport: Transport): MigrationParts {
    const { clock } = this;
    const random = systemRandom('migration');
    const reached = this.#pods?.transport(transport) ?? transport;
    const client = new Client(reached, { userAgent: 'hypershift-migration', random, maxRetries: 0 });
    return {
      client,
      discovery: this.fixture.discoveryOn(client),
      mapping: MAPPING,
      clock,
      random,
      logger: silentLogger(),
      recorder: new EventRecorder({
        client: this.fixture.client,
        clock,
        random,
        logger: silentLogger(),
        component: 'hypershift-migration',
      }),
      settings: DEFAULT_MIGRATION_SETTINGS,
      sidecar: TEST_SIDECAR,
      operatorImages: {
        isSupported: (image) =>
          this.registryError === undefined
            ? Promise.resolve(this.images.supported.has(image))
            : Promise.reject(this.registryError),
        overrides: this.images.overrides,
      },
      probeTranslation: translationProbe(client, systemClock()),
      ignoresClusterPause: () => this.ignoresClusterPause,
      isPodless: this.#pods === undefined,
    };
  }
}

async function create(client: Client, kind: ResourceKind, object: KubeObject): Promise<void> {
  const { name = '', namespace } = object.metadata;
  if ((await client.get(kind, name, { namespace }).catch(ignoreNotFound)) === undefined)
    await client.create(kind, object);
}
