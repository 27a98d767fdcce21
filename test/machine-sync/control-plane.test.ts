import {
  CAPI_MACHINES,
  CLUSTER_API_NAMESPACE,
  CONTROL_PLANE_MACHINE_SETS,
  MACHINE_API_NAMESPACE,
  MAPI_MACHINES,
} from '@capstan/machine-api';
import { controllerOf } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { isLiving } from '@capstan/upstream';
import { afterEach, describe, expect, it } from 'vitest';
import { SyncFixture } from '@capstan/tools/handover';
import { createControlPlane } from './control-plane-objects.js';

interface Report {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

interface ControlPlane extends KubeObject {
  readonly spec?: { readonly state?: string; readonly template?: Readonly<Record<string, unknown>> };
  readonly status?: {
    readonly authoritativeAPI?: string;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly conditions?: readonly Report[];
  };
}

const TEMPLATES = {
  group: 'infrastructure.cluster.x-k8s.io',
  version: 'v1beta2',
  plural: 'awsmachinetemplates',
  kind: 'AWSMachineTemplate',
  namespaced: true,
};
const LIMIT_MS = 120_000;

let fixture: SyncFixture;
afterEach(() => fixture.end());

const set = (namespace: string): Promise<ControlPlane | undefined> =>
  fixture.find<ControlPlane>(CONTROL_PLANE_MACHINE_SETS, 'cluster', namespace);
const reported = (object: ControlPlane | undefined, type: string): string | undefined =>
  object?.status?.conditions?.find((each) => each.type === type)?.status;
const machinesIn = async (namespace: string): Promise<readonly KubeObject[]> =>
  (await fixture.client.list(namespace === MACHINE_API_NAMESPACE ? MAPI_MACHINES : CAPI_MACHINES, { namespace })).items;

const living = (): readonly { readonly id: string }[] => fixture.cloud.instances.filter(isLiving);

/** Asks for another authority of the set alone, and waits until it has moved. */
async function move(authoritativeAPI: string): Promise<void> {
  const patch = { type: 'merge', value: { spec: { authoritativeAPI } } } as const;
  const at = { namespace: MACHINE_API_NAMESPACE };
  await fixture.retried(() => fixture.client.patch(CONTROL_PLANE_MACHINE_SETS, 'cluster', patch, at));
  await fixture.until(`${authoritativeAPI} is authoritative`, async () => {
    const mapi = await set(MACHINE_API_NAMESPACE);
    return mapi?.status?.authoritativeAPI === authoritativeAPI && reported(mapi, 'Synchronized') === 'True';
  });
}

async function moveMachine(name: string, authoritativeAPI: string): Promise<void> {
  const patch = { type: 'merge', value: { spec: { authoritativeAPI } } } as const;
  const at = { namespace: MACHINE_API_NAMESPACE };
  await fixture.retried(() => fixture.client.patch(MAPI_MACHINES, name, patch, at));
  await fixture.until(`${authoritativeAPI} acts on ${name}`, async () => {
    const machine = await fixture.find<ControlPlane>(MAPI_MACHINES, name, MACHINE_API_NAMESPACE);
    return machine?.status?.authoritativeAPI === authoritativeAPI && reported(machine, 'Synchronized') === 'True';
  });
}

const bothSets = async (): Promise<readonly ControlPlane[]> =>
  [await set(MACHINE_API_NAMESPACE), await set(CLUSTER_API_NAMESPACE)].filter((each) => each !== undefined);

/** As a user does it: a new template, and its name in the set of Cluster API. */
async function rollOut(instanceType: string): Promise<void> {
  const at = { namespace: CLUSTER_API_NAMESPACE };
  const [old] = (await fixture.client.list<Template>(TEMPLATES, at)).items;
  if (old?.spec === undefined) throw new Error('there is no template');
  const spec = { template: { ...old.spec.template, spec: { ...old.spec.template.spec, instanceType } } };
  const metadata = { name: 'larger', namespace: CLUSTER_API_NAMESPACE };
  await fixture.client.create(TEMPLATES, { apiVersion: old.apiVersion, kind: old.kind, metadata, spec } as KubeObject);
  const member = { spec: { infrastructureRef: { name: 'larger' } } };
  const value = { spec: { template: { machines_v1beta2_cluster_x_k8s_io: member } } };
  await fixture.retried(() =>
    fixture.client.patch(CONTROL_PLANE_MACHINE_SETS, 'cluster', { type: 'merge', value }, at),
  );
}

interface Template extends KubeObject {
  readonly spec?: { readonly template: { readonly spec: Readonly<Record<string, unknown>> } };
}

interface Machine extends KubeObject {
  readonly spec?: { readonly providerSpec?: { readonly value?: { readonly instanceType?: string } } };
}

const hasType =
  (type: string) =>
  (machine: KubeObject): boolean =>
    (machine as Machine).spec?.providerSpec?.value?.instanceType === type;

async function begin(): Promise<void> {
  fixture = await SyncFixture.create();
  await createControlPlane(fixture);
  await fixture.until('the set is synchronized', async () => {
    const mapi = await set(MACHINE_API_NAMESPACE);
    return reported(mapi, 'Synchronized') === 'True' && mapi?.status?.updatedReplicas === 3;
  });
}

describe('A control plane of Machine API', () => {
  it(
    'has a copy in Cluster API, which owns the copies of its machines',
    async () => {
      await begin();
      const [mapi, capi] = [await set(MACHINE_API_NAMESPACE), await set(CLUSTER_API_NAMESPACE)];
      expect(capi?.metadata.annotations?.['cluster.x-k8s.io/paused']).toBe('copy');
      expect(capi?.spec).toMatchObject({
        state: 'Active',
        replicas: 3,
        template: {
          machineType: 'machines_v1beta2_cluster_x_k8s_io',
          machines_v1beta2_cluster_x_k8s_io: { failureDomains: ['us-east-1a', 'us-east-1b', 'us-east-1c'] },
        },
      });
      const { items: templates } = await fixture.client.list(TEMPLATES, { namespace: CLUSTER_API_NAMESPACE });
      expect(templates).toHaveLength(1);
      await fixture.until('the copies are owned', async () => {
        const machines = await machinesIn(CLUSTER_API_NAMESPACE);
        return machines.length === 3 && machines.every((each) => controllerOf(each)?.uid === capi?.metadata.uid);
      });
      await fixture.until('their counts agree', async () => (await set(CLUSTER_API_NAMESPACE))?.status?.replicas === 3);
      const before = [mapi, capi].map((each) => each?.metadata.uid);
      const revision = async (): Promise<readonly unknown[]> => {
        const all = [await set(MACHINE_API_NAMESPACE), await set(CLUSTER_API_NAMESPACE)];
        return all.map((each) => [each?.metadata.uid, each?.metadata.resourceVersion]);
      };
      await fixture.pass(60_000);
      const settled = await revision();
      await fixture.pass(600_000);
      expect(await revision()).toEqual(settled);
      expect(settled.map((each) => (each as unknown[])[0])).toEqual(before);
    },
    LIMIT_MS,
  );

  it(
    'is moved, rolled out through a template of Cluster API, and moved back, at no moment without three machines',
    async () => {
      await begin();
      let least = 3;
      fixture.cloud.subscribe(() => (least = Math.min(least, living().length)));
      const first = living().map(({ id }) => id);
      await move('ClusterAPI');
      await fixture.pass(120_000);
      expect(living().map(({ id }) => id)).toEqual(first);
      expect((await set(CLUSTER_API_NAMESPACE))?.metadata.annotations).not.toHaveProperty('cluster.x-k8s.io/paused');

      await rollOut('m6i.4xlarge');
      await fixture.until('the rollout is complete and mirrored', async () => {
        const [mapi, machines] = [await set(MACHINE_API_NAMESPACE), await machinesIn(MACHINE_API_NAMESPACE)];
        const owned = machines.filter((each) => controllerOf(each)?.uid === mapi?.metadata.uid);
        return living().length === 3 && owned.length === 3 && machines.every(hasType('m6i.4xlarge'));
      });
      expect(living().filter(({ id }) => first.includes(id))).toEqual([]);
      expect(least).toBe(3);

      const second = living().map(({ id }) => id);
      await move('MachineAPI');
      expect((await set(MACHINE_API_NAMESPACE))?.spec).toMatchObject({
        template: {
          machines_v1beta1_machine_openshift_io: {
            spec: { providerSpec: { value: { instanceType: 'm6i.4xlarge' } } },
          },
        },
      });
      await fixture.pass(600_000);
      expect(living().map(({ id }) => id)).toEqual(second);
    },
    LIMIT_MS,
  );
});

describe('The deletion of one copy of a control plane', () => {
  it.each<[string, { readonly authority: string; readonly of: string; readonly left: readonly string[] }]>([
    [
      'in Machine API, where Cluster API acts, leaves that one alone',
      { authority: 'ClusterAPI', of: MACHINE_API_NAMESPACE, left: [CLUSTER_API_NAMESPACE] },
    ],
    [
      'in Cluster API, where Machine API acts, creates it again',
      { authority: 'MachineAPI', of: CLUSTER_API_NAMESPACE, left: [MACHINE_API_NAMESPACE, CLUSTER_API_NAMESPACE] },
    ],
    [
      'in Machine API, which acts, takes the other one with it',
      { authority: 'MachineAPI', of: MACHINE_API_NAMESPACE, left: [] },
    ],
    [
      'in Cluster API, which acts, takes the other one with it',
      { authority: 'ClusterAPI', of: CLUSTER_API_NAMESPACE, left: [] },
    ],
  ])(
    '%s, and never a machine',
    async (_, { authority, left, of }) => {
      await begin();
      const mapiMachines = await machinesIn(MACHINE_API_NAMESPACE);
      const [first] = mapiMachines.map(({ metadata }) => metadata.name ?? '');
      if (authority === 'ClusterAPI') await move(authority);
      // One machine of each API: what the collector does to the one is not what it does to the other.
      await moveMachine(first ?? '', 'ClusterAPI');
      const instances = living().map(({ id }) => id);
      const before = new Map((await bothSets()).map((each) => [each.metadata.namespace, each.metadata.uid]));
      await fixture.client.delete(CONTROL_PLANE_MACHINE_SETS, 'cluster', {
        namespace: of,
        propagationPolicy: 'Background',
      });
      await fixture.until('the copy is gone', async () =>
        (await bothSets()).every(({ metadata }) => metadata.namespace !== of || metadata.uid !== before.get(of)),
      );
      await fixture.pass(600_000);
      expect((await bothSets()).map(({ metadata }) => metadata.namespace)).toEqual(left);
      expect(living().map(({ id }) => id)).toEqual(instances);
      const [alone, ...others] = await bothSets();
      if (of === MACHINE_API_NAMESPACE && others.length === 0)
        expect(alone?.metadata.finalizers ?? []).not.toContain('sync.machine.openshift.io/finalizer');
    },
    LIMIT_MS,
  );
});
