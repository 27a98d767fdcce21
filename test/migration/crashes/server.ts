import { ApiServer } from '@capstan/apiserver';
import type { StoreSnapshot } from '@capstan/apiserver';
import { HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { Client, systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import type { KubeObject } from '@capstan/meta';
import { hostedClusterOn } from '@capstan/provider/testing';
import { installDefinitions } from '@capstan/tools/hosting';
import { bothGroups, createFleet, kindOf, MigrationFixture, ownedBy, STANDARD } from '../fixture.js';
import { hostedKinds, HostedMigration } from '../hosted.js';
import { machineOf } from './machines.js';

export const NAMESPACE = 'clusters-a';
const APPS = { group: 'apps', version: 'v1', namespaced: true } as const;
const DEPLOYMENT = { ...APPS, plural: 'deployments', kind: 'Deployment' };
const STATEFUL_SET = { ...APPS, plural: 'statefulsets', kind: 'StatefulSet' };
const POD = { group: '', version: 'v1', plural: 'pods', namespaced: true, kind: 'Pod' } as const;
/** Long before its migration. */
const CREATED_AT = Date.parse('2025-12-01T00:00:00Z');
const PLATFORM = { type: 'None', key: 'none', hasSettings: false } as const;
const kind = (group: string, version: string, plural: string, name: string) =>
  ({ group, version, plural, namespaced: true, kind: name }) as const;
export const ROLES = kind('rbac.authorization.k8s.io', 'v1', 'roles', 'Role');
const SECRETS = kind('', 'v1', 'secrets', 'Secret');

/** A server with one hosted cluster before its migration, of so many machines. */
export async function prepareServer(machines = 1): Promise<StoreSnapshot> {
  const server = new ApiServer({ clock: new ManualClock(CREATED_AT), random: systemRandom('migration') });
  await installDefinitions(new Client(server, { userAgent: 'test' }), [...bothGroups(), ...hostedKinds()]);
  const fixture = await MigrationFixture.start(server, NAMESPACE);
  const hosted = await HostedMigration.create(fixture);
  await createFleet(fixture, false);
  await createMachines(fixture, machines);
  await createOwned(fixture);
  await createOthers(fixture);
  await hosted.begin();
  await fixture.close();
  return server.store.snapshot({ history: false });
}

/** More machines of the set, each with an instance. */
async function createMachines(fixture: MigrationFixture, count: number): Promise<void> {
  const at = { namespace: NAMESPACE };
  const sets = kindOf(STANDARD, 'MachineSet');
  const set = await fixture.client.patch(sets, 'workers', { type: 'merge', value: { spec: { replicas: count } } }, at);
  const { template } = set['spec'] as { readonly template: { readonly spec: object } };
  for (let number = 2; number <= count; number += 1)
    await fixture.create(kindOf(STANDARD, 'Machine'), machineOf(set, `workers-${number}`, template.spec));
}

/** What runs in a control plane and does not read Cluster API. */
async function createOthers(fixture: MigrationFixture): Promise<void> {
  const labels = { app: 'kube-apiserver' };
  const at = { namespace: NAMESPACE, labels };
  const spec = { containers: [{ name: 'main', image: 'i' }] };
  const scaled = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } };
  await fixture.create(DEPLOYMENT, { metadata: { ...at, name: 'kube-apiserver' }, spec: { replicas: 3, ...scaled } });
  await fixture.create(STATEFUL_SET, { metadata: { ...at, name: 'etcd' }, spec: { serviceName: 'etcd', ...scaled } });
  await fixture.create(POD, { metadata: { ...at, name: 'kube-apiserver-0' }, spec });
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
