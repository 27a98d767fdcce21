import {
  CAPI_MACHINES,
  CLUSTER_API_NAMESPACE,
  CONTROL_PLANE_MACHINE_SETS,
  MACHINE_API_NAMESPACE,
  MAPI_MACHINES,
} from '@capstan/machine-api';
import { controllerOf } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
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
});
