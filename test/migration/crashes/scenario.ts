import { ApiServer } from '@capstan/apiserver';
import type { StoreSnapshot } from '@capstan/apiserver';
import { acknowledgement, HOSTED_CONTROL_PLANES, lockOf, MIGRATION_IN_PROGRESS_ANNOTATION } from '@capstan/hosting';
import { Client, patchFrom, systemClock, systemRandom } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { hostedClusterOn } from '@capstan/provider/testing';
import { installDefinitions } from '@capstan/tools/hosting';
import { bothGroups, createFleet, kindOf, MigrationFixture, ownedBy, PRIVATE, STANDARD } from '../fixture.js';
import { hostedKinds, HostedMigration } from '../hosted.js';
import { CrashingTransport, Gate } from './crashing-transport.js';
import type { CrashPoint } from './crashing-transport.js';
import { HistoryCheck } from './history.js';
import { PlayedControllers } from './played-controllers.js';

export const NAMESPACE = 'clusters-a';
const INSTANCE = 'aws:///us-east-1a/i-0123456789';
const PLATFORM = { type: 'None', key: 'none', hasSettings: false } as const;
const kind = (group: string, version: string, plural: string, name: string) =>
  ({ group, version, plural, namespaced: true, kind: name }) as const;
export const ROLES = kind('rbac.authorization.k8s.io', 'v1', 'roles', 'Role');
const SECRETS = kind('', 'v1', 'secrets', 'Secret');

/** How a migration ends that nothing interrupts, and what makes it end so. */
export interface Kind {
  readonly name: string;
  /** Why it is rolled back; undefined for one that succeeds. */
  readonly reason: string | undefined;
  readonly prepare: (run: MigrationRun) => Promise<void> | void;
}

const CRDS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
} as const;

export const KINDS: readonly Kind[] = [
  { name: 'success', reason: undefined, prepare: () => {} },
  {
    name: 'no acknowledgement',
    reason: 'acknowledge-timeout',
    prepare: ({ hosted }) => void hosted.actors.delete('operators'),
  },
  {
    name: 'no sidecars',
    reason: 'deployment-timeout',
    prepare: ({ hosted }) => void hosted.actors.delete('control-plane-operator'),
  },
  {
    name: 'private controllers that fail',
    reason: 'health-check-timeout',
    prepare: ({ controllers }) => {
      controllers.changes = true;
    },
  },
  {
    name: 'an unsupported control plane operator',
    reason: 'cpo-unsupported',
    prepare: ({ hosted }) => hosted.images.supported.clear(),
  },
  {
    name: 'an overridden control plane operator without sidecars',
    reason: 'deployment-timeout',
    prepare: async ({ fixture, hosted }) => {
      hosted.images.supported.clear();
      hosted.images.overrides.set('4.18', 'quay.io/hypershift/control-plane-operator:4.18');
      hosted.actors.delete('control-plane-operator');
      const status = { initialized: true, ready: true, version: '4.18.3' };
      const at = { namespace: NAMESPACE, subresource: 'status' };
      await fixture.client.patch(HOSTED_CONTROL_PLANES, 'a', { type: 'merge', value: { status } }, at);
    },
  },
  {
    name: 'a missing CRD',
    reason: 'missing-private-crd',
    prepare: async ({ fixture }) => {
      await fixture.client.delete(CRDS, `machinesets.${PRIVATE}`);
    },
  },
];

/** A server with one hosted cluster before its migration. */
export async function prepareServer(): Promise<StoreSnapshot> {
  const server = new ApiServer({ clock: systemClock(), random: systemRandom('migration') });
  await installDefinitions(new Client(server, { userAgent: 'test' }), [...bothGroups(), ...hostedKinds()]);
  const fixture = await MigrationFixture.start(server, NAMESPACE);
  const hosted = await HostedMigration.create(fixture);
  await createFleet(fixture, false);
  await createOwned(fixture);
  await hosted.begin();
  await fixture.close();
  return server.store.snapshot({ history: false });
}

/** What objects of Cluster API own, and the permissions of their controllers. */
async function createOwned(fixture: MigrationFixture): Promise<void> {
  const [cluster] = await fixture.list(kindOf(STANDARD, 'Cluster'));
  const [set] = await fixture.list(kindOf(STANDARD, 'MachineSet'));
  const at = { namespace: NAMESPACE };
  const { dns, etcd, infraID, platform, pullSecret, services, sshKey } = hostedClusterOn(PLATFORM).spec ?? {};
  await fixture.create(
    { ...HOSTED_CONTROL_PLANES },
    {
      metadata: { name: 'a', ...at, ownerReferences: ownedBy(cluster as KubeObject) },
      spec: { dns, etcd, infraID, platform, pullSecret, services, sshKey, issuerURL: 'https://i', releaseImage: 'r' },
    },
  );
  await fixture.create(SECRETS, {
    metadata: { name: 'owned', ...at, ownerReferences: ownedBy(set as KubeObject) },
    stringData: { value: 'bootstrap' },
  });
  await fixture.create(ROLES, {
    metadata: { name: 'cluster-api', ...at },
    rules: [{ apiGroups: [STANDARD, `infrastructure.${STANDARD}`], resources: ['*'], verbs: ['*'] }],
  });
}

/** One migration that is cut off at a point, and goes on until it ends. */
export class MigrationRun {
  readonly server: ApiServer;
  readonly fixture: MigrationFixture;
  readonly hosted: HostedMigration;
  readonly controllers: PlayedControllers;
  readonly history: HistoryCheck;
  /** The connection of the garbage collector. */
  readonly collectorsServer: Gate;

  constructor(snapshot: StoreSnapshot) {
    // From another seed than the objects of the snapshot: UIDs must not come again.
    this.server = new ApiServer({ clock: systemClock(), random: systemRandom('migration-run'), snapshot });
    this.collectorsServer = new Gate(this.server);
    this.fixture = MigrationFixture.on(this.server, NAMESPACE, this.collectorsServer);
    this.hosted = HostedMigration.on(this.fixture);
    this.controllers = new PlayedControllers(this.fixture, [INSTANCE]);
    this.history = new HistoryCheck(this.server, this.controllers.instances);
    this.hosted.playOthers = async () => {
      await this.#acknowledge();
      await this.controllers.act();
    };
  }

  /** Migrates until the lock is gone. How many writes the first process of the migration sent. */
  async migrate(point?: CrashPoint): Promise<number> {
    const transport = new CrashingTransport(this.server, point);
    this.hosted.restart(transport);
    await this.#untilLost(transport, () => this.hosted.lock());
    if (lockOf(await this.hosted.hostedCluster()).holder === 'nobody') await this.hosted.lock();
    await this.#untilLost(transport, () => this.hosted.run());
    await this.hosted.run();
    await this.hosted.play();
    return transport.writes;
  }

  /** Does something until the connection is lost; a crashed process is replaced, once everybody else has gone on. */
  async #untilLost(transport: CrashingTransport, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!transport.isLost) throw error;
      await this.hosted.play();
      if (transport.isCrash) this.hosted.restart();
    }
  }

  /** The control plane operator, to which the lock is an annotation of its own object. */
  async #acknowledge(): Promise<void> {
    const { client } = this.fixture;
    const before = await client.get(HOSTED_CONTROL_PLANES, 'a', { namespace: NAMESPACE });
    const lock = before.metadata.annotations?.[MIGRATION_IN_PROGRESS_ANNOTATION];
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const conditions = lock === undefined ? [] : [{ ...acknowledgement(lock), lastTransitionTime }];
    const after = { ...before, status: { ...(before['status'] as object), conditions } };
    await patchFrom(client, HOSTED_CONTROL_PLANES, { before, after }, { subresource: 'status' });
  }

  async close(): Promise<void> {
    await this.fixture.close();
  }
}
