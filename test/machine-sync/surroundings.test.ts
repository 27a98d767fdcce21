/** What surrounds machines decides what a copy means: the manager of Cluster API, and the infrastructure cluster. */
import { CLUSTER_API_NAMESPACE, MAPI_MACHINE_SETS, MAPI_MACHINES } from '@capstan/machine-api';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { MACHINE_API_NAMESPACE, machineSetObject } from '@capstan/simulation';
import { SET, SyncFixture } from '@capstan/tools/handover';
import { afterEach, expect, it, vi } from 'vitest';

vi.setConfig({ testTimeout: 300_000 });

const kind = (group: string, version: string, plural: string, name: string) =>
  ({ group, version, plural, kind: name, namespaced: true }) as const;
const DEPLOYMENTS = kind('apps', 'v1', 'deployments', 'Deployment');
const AWS_CLUSTERS = kind('infrastructure.cluster.x-k8s.io', 'v1beta2', 'awsclusters', 'AWSCluster');
const EVENTS = kind('', 'v1', 'events', 'Event');
const IN_CAPI = { namespace: CLUSTER_API_NAMESPACE };
const IN_MAPI = { namespace: MACHINE_API_NAMESPACE };

interface Loose extends KubeObject {
  readonly spec?: JsonObject;
  readonly reason?: string;
  readonly message?: string;
}

let fixture: SyncFixture;
afterEach(() => fixture.end());

const manager = (...args: readonly string[]): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'capi-controller-manager', ...IN_CAPI },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'manager', image: 'm', args }] } },
  },
});

/** A set whose machines bring a label to their nodes. */
function labelled(): KubeObject {
  const set = machineSetObject(SET, 0) as unknown as {
    spec: { template: { spec: { metadata?: object } } };
  } & KubeObject;
  set.spec.template.spec.metadata = { labels: { 'example.com/tier': 'gold' } };
  return set;
}

const warnings = async (): Promise<readonly string[]> =>
  (await fixture.client.list<Loose>(EVENTS, IN_MAPI)).items
    .filter(({ reason }) => reason === 'ConversionWarning')
    .map(({ message = '' }) => message);

it.each([
  ['brings no labels to nodes', [], 1],
  ['brings labels like it to nodes', ['--additional-sync-machine-labels=^example\\.com/'], 0],
])('warns of the label of a node where the manager of Cluster API %s: %o', async (_, args, count) => {
  fixture = await SyncFixture.create({ isOperatorAbsent: true });
  await fixture.client.create(DEPLOYMENTS, manager(...args));
  fixture.startOperator();
  await fixture.client.create(MAPI_MACHINE_SETS, labelled());
  await fixture.settled({ machines: 0, authority: 'MachineAPI' });
  await fixture.pass(10_000);
  expect((await warnings()).filter((each) => each.includes('example.com/tier'))).toHaveLength(count);
});

it('keeps what a running machine was created with when its infrastructure cluster is edited', async () => {
  fixture = await SyncFixture.create();
  await fixture.begin(1);
  await fixture.ask('ClusterAPI', { set: false, machines: true });
  await fixture.settled({ machines: 1, authority: 'mixed' });
  const [machine] = await fixture.machines();
  const name = machine?.metadata.name ?? '';
  await fixture.until('Cluster API has the machine', async () => {
    const found = await fixture.find<KubeObject & { status?: JsonObject }>(MAPI_MACHINES, name, MACHINE_API_NAMESPACE);
    return found?.status?.['authoritativeAPI'] === 'ClusterAPI';
  });
  const region = async (): Promise<unknown> => {
    const spec = (await fixture.client.get<Loose>(MAPI_MACHINES, name, IN_MAPI)).spec as {
      providerSpec: { value: { placement: { region: string } } };
    };
    return spec.providerSpec.value.placement.region;
  };
  const before = await region();
  const [cluster] = (await fixture.client.list(AWS_CLUSTERS, IN_CAPI)).items;
  const value = { spec: { region: 'eu-central-1' } };
  await fixture.client.patch(AWS_CLUSTERS, cluster?.metadata.name ?? '', { type: 'merge', value }, IN_CAPI);
  await fixture.pass(120_000);
  expect(before).toBe('us-east-1');
  expect(await region()).toBe(before);
});
