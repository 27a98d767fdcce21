import {
  CAPI_MACHINE_SETS,
  CAPI_MACHINES,
  CLUSTER_API_NAMESPACE,
  MACHINE_API_NAMESPACE,
  MAPI_MACHINE_SETS,
  MAPI_MACHINES,
  SYNC_FINALIZER,
} from '@capstan/machine-api';
import { controllerOf } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { isLiving } from '@capstan/upstream';
import { afterEach, describe, expect, it } from 'vitest';
import { SyncFixture } from '@capstan/tools/handover';

type Policy = 'Background' | 'Foreground' | 'Orphan';
interface Instanced extends KubeObject {
  readonly spec?: { readonly providerID?: string };
}

const IN_MAPI = { namespace: MACHINE_API_NAMESPACE };
const IN_CAPI = { namespace: CLUSTER_API_NAMESPACE };
const SET = 'workers';
const LIMIT_MS = 120_000;
/** Longer than a lost machine takes to be replaced. */
const LATER_MS = 300_000;

let fixture: SyncFixture;
afterEach(() => fixture.end());

const living = (): readonly string[] => fixture.cloud.instances.filter(isLiving).map(({ id }) => id);
const mapiSet = (): Promise<KubeObject | undefined> => fixture.find(MAPI_MACHINE_SETS, SET, MACHINE_API_NAMESPACE);
const capiSet = (): Promise<KubeObject | undefined> => fixture.find(CAPI_MACHINE_SETS, SET, CLUSTER_API_NAMESPACE);
const capiMachines = async (): Promise<readonly Instanced[]> =>
  (await fixture.client.list<Instanced>(CAPI_MACHINES, IN_CAPI)).items;
const instanceOf = ({ spec }: Instanced): string => spec?.providerID?.split('/').at(-1) ?? '';

/** Three machines of one set; who acts on the set, and on how many of the machines Cluster API does. */
async function begin(authority: 'ClusterAPI' | 'MachineAPI', inClusterApi: number): Promise<readonly Instanced[]> {
  fixture = await SyncFixture.create();
  await fixture.begin(3);
  await fixture.ask(authority, { set: true, machines: false });
  const chosen = (await fixture.machines()).slice(0, inClusterApi);
  for (const { metadata } of chosen) {
    const patch = { type: 'merge', value: { spec: { authoritativeAPI: 'ClusterAPI' } } } as const;
    await fixture.retried(() => fixture.client.patch(MAPI_MACHINES, metadata.name ?? '', patch, IN_MAPI));
  }
  await fixture.until('authority is where it was asked to be', async () => {
    const machines = await fixture.machines();
    const moved = machines.filter(({ status }) => status?.authoritativeAPI === 'ClusterAPI');
    const set = (await mapiSet()) as (typeof machines)[number] | undefined;
    return moved.length === inClusterApi && set?.status?.authoritativeAPI === authority;
  });
  await fixture.settled({ machines: 3, authority: 'mixed' });
  const names = new Set(chosen.map(({ metadata }) => metadata.name));
  return (await capiMachines()).filter(({ metadata }) => names.has(metadata.name));
}

describe('A set of Machine API that is a mere copy', () => {
  it.each<readonly [Policy, number]>([
    ['Background', 3],
    ['Background', 1],
    ['Foreground', 3],
    ['Foreground', 1],
    ['Orphan', 2],
  ])(
    'deleted with %s leaves Cluster API its set, and all %i of 3 machines on which it acts',
    async (propagationPolicy, count) => {
      const machines = await begin('ClusterAPI', count);
      await fixture.client.delete(MAPI_MACHINE_SETS, SET, { ...IN_MAPI, propagationPolicy });
      await fixture.until('it is gone', async () => (await mapiSet()) === undefined);
      await fixture.pass(LATER_MS);
      expect(living()).toEqual(expect.arrayContaining(machines.map(instanceOf)));
      expect(living()).toHaveLength(3);
      expect((await capiSet())?.metadata.finalizers).not.toContain(SYNC_FINALIZER);
    },
    LIMIT_MS,
  );
});

describe('A set of Cluster API that is a mere copy', () => {
  it.each<Policy>(['Background', 'Foreground', 'Orphan'])(
    'deleted with %s is created again, and owns the copies of all machines again',
    async (propagationPolicy) => {
      await begin('MachineAPI', 0);
      const [before, instances] = [await capiSet(), living()];
      await fixture.client.delete(CAPI_MACHINE_SETS, SET, { ...IN_CAPI, propagationPolicy });
      await fixture.until('there is another one', async () => {
        const uid = (await capiSet())?.metadata.uid;
        return uid !== undefined && uid !== before?.metadata.uid;
      });
      await fixture.pass(LATER_MS);
      expect(living()).toEqual(instances);
      const uid = (await capiSet())?.metadata.uid;
      expect((await capiMachines()).map((each) => controllerOf(each)?.uid)).toEqual([uid, uid, uid]);
    },
    LIMIT_MS,
  );
});

describe('A machine', () => {
  it.each([
    ['Cluster API', 'ClusterAPI', CAPI_MACHINES, IN_CAPI],
    ['Machine API', 'MachineAPI', MAPI_MACHINES, IN_MAPI],
  ] as const)(
    'on which %s acts is held by a hook on its copy, until the hook is removed',
    async (_, authority, kind, at) => {
      const machines = await begin(authority, authority === 'ClusterAPI' ? 3 : 0);
      const [name = ''] = (authority === 'ClusterAPI' ? machines : await fixture.machines()).map(
        ({ metadata }) => metadata.name ?? '',
      );
      const hook = { name: 'backup', owner: 'admin' };
      const set = (value: unknown): Promise<unknown> =>
        fixture.retried(() =>
          authority === 'ClusterAPI'
            ? fixture.client.patch(
                CAPI_MACHINES,
                name,
                {
                  type: 'merge',
                  value: {
                    metadata: {
                      annotations: {
                        'pre-terminate.delete.hook.machine.cluster.x-k8s.io/backup': value === null ? null : 'admin',
                      },
                    },
                  },
                },
                IN_CAPI,
              )
            : fixture.client.patch(
                MAPI_MACHINES,
                name,
                { type: 'merge', value: { spec: { lifecycleHooks: { preTerminate: value } } } },
                IN_MAPI,
              ),
        );
      await set([hook]);
      await fixture.pass(30_000);
      const [held = ''] = (await capiMachines()).filter(({ metadata }) => metadata.name === name).map(instanceOf);
      // Through the other copy, which a set that stays owns.
      const [otherKind, otherAt] = kind === CAPI_MACHINES ? [MAPI_MACHINES, IN_MAPI] : [CAPI_MACHINES, IN_CAPI];
      await fixture.client.delete(otherKind, name, otherAt);
      await fixture.pass(LATER_MS);
      expect(living()).toContain(held);
      await set(null);
      await fixture.until('the instance is gone', () => Promise.resolve(!living().includes(held)));
      await fixture.until('both copies are gone', async () => {
        const both = [
          await fixture.find(kind, name, at.namespace),
          await fixture.find(otherKind, name, otherAt.namespace),
        ];
        return both.every((each) => each === undefined);
      });
    },
    LIMIT_MS,
  );
});
