import {
  CAPI_MACHINE_SETS,
  CAPI_MACHINES,
  CLUSTER_API_NAMESPACE,
  MAPI_MACHINE_SETS,
  MAPI_MACHINES,
} from '@capstan/machine-api';
import type { KubeObject } from '@capstan/meta';
import { MACHINE_API_NAMESPACE, machineSetObject } from '@capstan/simulation';
import { afterEach, expect, it } from 'vitest';
import { SyncFixture } from '@capstan/tools/handover';

interface Machine extends KubeObject {
  spec?: { providerID?: string; authoritativeAPI?: string; replicas?: number };
  status?: {
    phase?: string;
    authoritativeAPI?: string;
    synchronizedAPI?: string;
    synchronizedGeneration?: number;
    conditions?: { type: string; status: string; reason?: string; message?: string }[];
  };
}

let fixture: SyncFixture;
afterEach(() => fixture.end());

const condition = (object: Machine | undefined, type: string): string | undefined =>
  object?.status?.conditions?.find((each) => each.type === type)?.status;

async function mapiMachines(): Promise<readonly Machine[]> {
  return (await fixture.client.list<Machine>(MAPI_MACHINES, { namespace: MACHINE_API_NAMESPACE })).items;
}

async function isSynchronized(name: string): Promise<boolean> {
  const set = await fixture.find<Machine>(MAPI_MACHINE_SETS, name, MACHINE_API_NAMESPACE);
  const machines = await mapiMachines();
  return [set, ...machines].every((each) => condition(each, 'Synchronized') === 'True');
}

const ask = async (kind: typeof MAPI_MACHINES, name: string, authoritativeAPI: string): Promise<void> => {
  const patch = { type: 'merge', value: { spec: { authoritativeAPI } } } as const;
  await fixture.client.patch(kind, name, patch, { namespace: MACHINE_API_NAMESPACE });
};

it('mirrors a set and its machines, hands them over and back', { timeout: 120_000 }, async () => {
  fixture = await SyncFixture.create();
  await fixture.client.create(MAPI_MACHINE_SETS, machineSetObject('workers', 2));
  await fixture.until('two machines run', async () => {
    const machines = await mapiMachines();
    return machines.length === 2 && machines.every(({ status }) => status?.phase === 'Running');
  });
  await fixture.until('all is synchronized', () => isSynchronized('workers'));
  const before = fixture.cloud.instances.map(({ id }) => id);
  const capi = await fixture.client.list<Machine>(CAPI_MACHINES, { namespace: CLUSTER_API_NAMESPACE });
  expect(capi.items).toHaveLength(2);
  for (const authority of ['ClusterAPI', 'MachineAPI']) {
    await ask(MAPI_MACHINE_SETS, 'workers', authority);
    for (const { metadata } of await mapiMachines()) await ask(MAPI_MACHINES, metadata.name ?? '', authority);
    await fixture.until(`${authority} is authoritative`, async () => {
      const set = await fixture.find<Machine>(MAPI_MACHINE_SETS, 'workers', MACHINE_API_NAMESPACE);
      const all = [set, ...(await mapiMachines())];
      return all.every(
        (each) => each?.status?.authoritativeAPI === authority && condition(each, 'Synchronized') === 'True',
      );
    });
    await fixture.pass(120_000);
    expect(fixture.cloud.instances.map(({ id }) => id)).toEqual(before);
  }
  expect(CAPI_MACHINE_SETS.plural).toBe('machinesets');
});
