import {
  CAPI_HEALTH_CHECKS,
  CAPI_MACHINE_SETS,
  CAPI_MACHINES,
  CLUSTER_API_NAMESPACE,
  MACHINE_API_NAMESPACE,
  MAPI_HEALTH_CHECKS,
  MAPI_MACHINE_SETS,
  MAPI_MACHINES,
  SYNC_FINALIZER,
} from '@capstan/machine-api';
import type { ResourceKind } from '@capstan/kube';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { isLiving } from '@capstan/upstream';
import { afterEach, describe, expect, it } from 'vitest';
import { SyncFixture } from '@capstan/tools/handover';

const IN_MAPI = { namespace: MACHINE_API_NAMESPACE };
const IN_CAPI = { namespace: CLUSTER_API_NAMESPACE };
const SET = 'workers';
const LIMIT_MS = 120_000;
const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const infrastructure = (plural: string, kind: string): ResourceKind => ({
  group: 'infrastructure.cluster.x-k8s.io',
  version: 'v1beta2',
  plural,
  kind,
  namespaced: true,
});
const TEMPLATES = infrastructure('awsmachinetemplates', 'AWSMachineTemplate');
const AWS_MACHINES = infrastructure('awsmachines', 'AWSMachine');

interface Loose extends KubeObject {
  readonly spec?: JsonObject;
  readonly status?: {
    readonly authoritativeAPI?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
  };
}

let fixture: SyncFixture;
afterEach(() => fixture.end());

async function begin(machines: number): Promise<string> {
  fixture = await SyncFixture.create();
  await fixture.begin(machines);
  const [first] = await fixture.machines();
  return first?.metadata.name ?? '';
}

const patch = (kind: ResourceKind, name: string, namespace: string, value: JsonObject): Promise<unknown> =>
  fixture.retried(() => fixture.client.patch(kind, name, { type: 'merge', value }, { namespace }));
const find = (kind: ResourceKind, name: string, namespace: string): Promise<Loose | undefined> =>
  fixture.find<Loose>(kind, name, namespace);
const reason = (object: Loose | undefined): string | undefined =>
  object?.status?.conditions?.find(({ type }) => type === 'Synchronized')?.reason;
const templateNames = async (): Promise<readonly string[]> =>
  (await fixture.client.list(TEMPLATES, IN_CAPI)).items.map(({ metadata }) => metadata.name ?? '');
const living = (): readonly string[] => fixture.cloud.instances.filter(isLiving).map(({ id }) => id);
const providerSpec = (value: JsonObject): JsonObject => ({ providerSpec: { value } });

describe('The template of a set', () => {
  it(
    'is replaced when its content changes; one that a user made stays',
    async () => {
      await begin(1);
      const [old = ''] = await templateNames();
      const made = await fixture.client.get<Loose>(TEMPLATES, old, IN_CAPI);
      const own = { apiVersion: made.apiVersion, kind: made.kind, spec: made.spec };
      await fixture.client.create(TEMPLATES, { ...own, metadata: { name: 'of-a-user', ...IN_CAPI } } as KubeObject);
      const change = { spec: { template: { spec: providerSpec({ instanceType: 'm6i.4xlarge' }) } } };
      await patch(MAPI_MACHINE_SETS, SET, MACHINE_API_NAMESPACE, change);
      await fixture.until('the old one is gone', async () => !(await templateNames()).includes(old));
      await fixture.until(
        'the set is synchronized',
        async () => reason(await find(MAPI_MACHINE_SETS, SET, MACHINE_API_NAMESPACE)) === 'ResourceSynchronized',
      );
      const names = await templateNames();
      expect(names).toHaveLength(2);
      expect(names).toContain('of-a-user');
      const current = names.find((each) => each !== 'of-a-user');
      expect((await find(CAPI_MACHINE_SETS, SET, CLUSTER_API_NAMESPACE))?.spec).toMatchObject({
        template: { spec: { infrastructureRef: { name: current } } },
      });
    },
    LIMIT_MS,
  );
});

describe('The infrastructure machine of a copy', () => {
  it(
    'is replaced when the machine changes, without its instance',
    async () => {
      const name = await begin(1);
      const [before, instances] = [await find(AWS_MACHINES, name, CLUSTER_API_NAMESPACE), living()];
      const value = { spec: providerSpec({ instanceType: 'm6i.4xlarge' }) };
      await patch(MAPI_MACHINES, name, MACHINE_API_NAMESPACE, value);
      await fixture.until('there is another one', async () => {
        const now = await find(AWS_MACHINES, name, CLUSTER_API_NAMESPACE);
        return now !== undefined && now.metadata.uid !== before?.metadata.uid;
      });
      await fixture.pass(120_000);
      const after = await find(AWS_MACHINES, name, CLUSTER_API_NAMESPACE);
      expect(after?.spec).toMatchObject({ instanceType: 'm6i.4xlarge', providerID: before?.spec?.['providerID'] });
      expect(living()).toEqual(instances);
    },
    LIMIT_MS,
  );
});

describe('A copy', () => {
  it(
    'keeps the labels of users, loses what its authority lost, and is corrected within ten seconds',
    async () => {
      const name = await begin(1);
      const labels = async (): Promise<Readonly<Record<string, string>>> =>
        (await find(CAPI_MACHINES, name, CLUSTER_API_NAMESPACE))?.metadata.labels ?? {};
      await patch(MAPI_MACHINES, name, MACHINE_API_NAMESPACE, { metadata: { labels: { tier: 'gold' } } });
      await fixture.until('the label is carried', async () => (await labels())['tier'] === 'gold');
      await patch(CAPI_MACHINES, name, CLUSTER_API_NAMESPACE, { metadata: { labels: { team: 'a' } } });
      await patch(MAPI_MACHINES, name, MACHINE_API_NAMESPACE, { metadata: { labels: { tier: null } } });
      await fixture.until('the label is removed', async () => (await labels())['tier'] === undefined);
      expect((await labels())['team']).toBe('a');

      // Of an account that no policy restricts, and that does it again and again.
      let writes = 0;
      for (let round = 0; round < 60; round += 1) {
        const now = await find(CAPI_MACHINES, name, CLUSTER_API_NAMESPACE);
        if (now?.spec?.['failureDomain'] !== 'elsewhere') {
          writes += 1;
          await fixture.dispute(CAPI_MACHINES, name, { spec: { failureDomain: 'elsewhere' } });
        }
        await fixture.pass(1_000);
      }
      expect(writes).toBeGreaterThan(2);
      expect(writes).toBeLessThanOrEqual(7);
      await fixture.pass(10_000);
      const now = await find(CAPI_MACHINES, name, CLUSTER_API_NAMESPACE);
      expect(now?.spec?.['failureDomain']).toBe('us-east-1a');
    },
    LIMIT_MS,
  );

  it(
    'of what has two owners is not made, and that is final',
    async () => {
      const name = await begin(1);
      const machine = await find(MAPI_MACHINES, name, MACHINE_API_NAMESPACE);
      const map = await fixture.client.create(CONFIG_MAPS, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'x', ...IN_MAPI },
      } as KubeObject);
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: map.metadata.uid ?? '' };
      const ownerReferences = [...(machine?.metadata.ownerReferences ?? []), owner];
      await patch(MAPI_MACHINES, name, MACHINE_API_NAMESPACE, { metadata: { ownerReferences } } as JsonObject);
      await fixture.until(
        'that is reported',
        async () => reason(await find(MAPI_MACHINES, name, MACHINE_API_NAMESPACE)) === 'UnsupportedOwner',
      );
    },
    LIMIT_MS,
  );
});

describe('The number of machines', () => {
  it(
    'that an autoscaler sets on the copy becomes that of the set, and no set is scaled twice',
    async () => {
      await begin(1);
      await fixture.autoscale(CAPI_MACHINE_SETS, SET, CLUSTER_API_NAMESPACE, 3);
      await fixture.settled({ machines: 3, authority: 'MachineAPI' });
      await fixture.pass(300_000);
      const sets = [
        await find(MAPI_MACHINE_SETS, SET, MACHINE_API_NAMESPACE),
        await find(CAPI_MACHINE_SETS, SET, CLUSTER_API_NAMESPACE),
      ];
      expect(sets.map((each) => each?.spec?.['replicas'])).toEqual([3, 3]);
      expect(living()).toHaveLength(3);
    },
    LIMIT_MS,
  );
});

describe('What is in Cluster API alone', () => {
  it(
    'comes to Machine API when its user creates the counterpart, and can be handed over',
    async () => {
      await begin(1);
      const capi = await find(CAPI_MACHINE_SETS, SET, CLUSTER_API_NAMESPACE);
      const mapi = await find(MAPI_MACHINE_SETS, SET, MACHINE_API_NAMESPACE);
      const alone = {
        apiVersion: capi?.apiVersion ?? '',
        kind: 'MachineSet',
        metadata: { name: 'alone', ...IN_CAPI },
        spec: { ...capi?.spec, replicas: 0 },
      } as KubeObject;
      await fixture.client.create(CAPI_MACHINE_SETS, alone);
      await fixture.pass(60_000);
      expect((await find(CAPI_MACHINE_SETS, 'alone', CLUSTER_API_NAMESPACE))?.metadata.finalizers).not.toContain(
        SYNC_FINALIZER,
      );
      const counterpart = {
        apiVersion: mapi?.apiVersion ?? '',
        kind: 'MachineSet',
        metadata: { name: 'alone', ...IN_MAPI },
        spec: { ...mapi?.spec, replicas: 0, authoritativeAPI: 'ClusterAPI' },
      } as KubeObject;
      await fixture.client.create(MAPI_MACHINE_SETS, counterpart);
      const isAt = async (kind: ResourceKind, name: string, authority: string): Promise<boolean> => {
        const object = await find(kind, name, MACHINE_API_NAMESPACE);
        return object?.status?.authoritativeAPI === authority && reason(object) === 'ResourceSynchronized';
      };
      await fixture.until('they agree', () => isAt(MAPI_MACHINE_SETS, 'alone', 'ClusterAPI'));
      await patch(MAPI_MACHINE_SETS, 'alone', MACHINE_API_NAMESPACE, { spec: { authoritativeAPI: 'MachineAPI' } });
      await fixture.until('Machine API has it', () => isAt(MAPI_MACHINE_SETS, 'alone', 'MachineAPI'));

      const check = {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'MachineHealthCheck',
        metadata: { name: 'alone', ...IN_CAPI },
        spec: {
          clusterName: 'demo-x7k2p',
          selector: { matchLabels: { a: 'b' } },
          checks: {
            nodeStartupTimeoutSeconds: 600,
            unhealthyNodeConditions: [{ type: 'Ready', status: 'False', timeoutSeconds: 300 }],
          },
        },
      };
      await fixture.client.create(CAPI_HEALTH_CHECKS, check as KubeObject);
      const its = {
        apiVersion: 'machine.openshift.io/v1beta1',
        kind: 'MachineHealthCheck',
        metadata: { name: 'alone', ...IN_MAPI },
        spec: {
          authoritativeAPI: 'ClusterAPI',
          selector: { matchLabels: { other: 'x' } },
          unhealthyConditions: [{ type: 'Ready', status: 'Unknown', timeout: '1s' }],
        },
      };
      await fixture.client.create(MAPI_HEALTH_CHECKS, its as KubeObject);
      await fixture.until('the checks agree', () => isAt(MAPI_HEALTH_CHECKS, 'alone', 'ClusterAPI'));
      expect((await find(MAPI_HEALTH_CHECKS, 'alone', MACHINE_API_NAMESPACE))?.spec).toMatchObject({
        selector: { matchLabels: { a: 'b' } },
        unhealthyConditions: [{ type: 'Ready', status: 'False', timeout: '5m0s' }],
      });
    },
    LIMIT_MS,
  );
});
