/** What happens to machines while authority over them moves. */
import { CAPI_MACHINE_SETS, MAPI_MACHINE_SETS, MAPI_MACHINES, CLUSTER_API_NAMESPACE } from '@capstan/machine-api';
import { MACHINE_API_NAMESPACE } from '@capstan/simulation';
import { SET } from './settled.js';
import type { SyncFixture } from './cluster.js';

/** One way in which machines are handed over. */
export interface HandoverVariant {
  readonly name: string;
  readonly run: (fixture: SyncFixture) => Promise<void>;
  /** Instances that it creates and terminates. */
  readonly calls: Readonly<Record<string, number>>;
  /** Machines of Machine API that are there at the end, and the authoritative API of each. */
  readonly ends: { readonly machines: number; readonly authority: 'ClusterAPI' | 'MachineAPI' | 'mixed' };
}

const IN_MAPI = { namespace: MACHINE_API_NAMESPACE };
const IN_CAPI = { namespace: CLUSTER_API_NAMESPACE };
const SETTLING_MS = 30_000;

async function there(fixture: SyncFixture): Promise<void> {
  await fixture.ask('ClusterAPI');
  await fixture.settled({ machines: 2, authority: 'ClusterAPI' });
}

async function scale(fixture: SyncFixture, api: 'ClusterAPI' | 'MachineAPI', replicas: number): Promise<void> {
  const [kind, at] = api === 'MachineAPI' ? [MAPI_MACHINE_SETS, IN_MAPI] : [CAPI_MACHINE_SETS, IN_CAPI];
  await fixture.retried(() =>
    fixture.client.patch(kind, SET, { type: 'merge', value: { spec: { replicas } } }, { ...at, subresource: 'scale' }),
  );
}

/** Every way that is tried. */
export const HANDOVERS: readonly HandoverVariant[] = [
  {
    name: 'there',
    run: (fixture) => fixture.ask('ClusterAPI'),
    calls: {},
    ends: { machines: 2, authority: 'ClusterAPI' },
  },
  {
    name: 'there and back',
    run: async (fixture) => {
      await there(fixture);
      await fixture.ask('MachineAPI');
    },
    calls: {},
    ends: { machines: 2, authority: 'MachineAPI' },
  },
  {
    name: 'cancelled on the way there',
    run: async (fixture) => {
      await fixture.ask('ClusterAPI');
      await fixture.pass(fixture.below(SETTLING_MS));
      await fixture.ask('MachineAPI');
    },
    calls: {},
    ends: { machines: 2, authority: 'MachineAPI' },
  },
  {
    name: 'cancelled on the way back',
    run: async (fixture) => {
      await there(fixture);
      await fixture.ask('MachineAPI');
      await fixture.pass(fixture.below(SETTLING_MS));
      await fixture.ask('ClusterAPI');
    },
    calls: {},
    ends: { machines: 2, authority: 'ClusterAPI' },
  },
  {
    name: 'asked there and back again and again',
    run: async (fixture) => {
      for (let round = 0; round < 6; round += 1) {
        await fixture.ask(round % 2 === 0 ? 'ClusterAPI' : 'MachineAPI');
        await fixture.pass(fixture.below(SETTLING_MS));
      }
    },
    calls: {},
    ends: { machines: 2, authority: 'MachineAPI' },
  },
  {
    name: 'scaled up through Cluster API after it',
    run: async (fixture) => {
      await there(fixture);
      await scale(fixture, 'ClusterAPI', 3);
    },
    calls: { create: 1 },
    ends: { machines: 3, authority: 'ClusterAPI' },
  },
  {
    name: 'a machine deleted on the way there',
    run: async (fixture) => {
      await fixture.ask('ClusterAPI');
      await fixture.pass(fixture.below(SETTLING_MS));
      const [machine] = await fixture.machines();
      await fixture.retried(() => fixture.client.delete(MAPI_MACHINES, machine?.metadata.name ?? '', IN_MAPI));
    },
    calls: { create: 1, terminate: 1 },
    // The other one is created by the API that has the set by then.
    ends: { machines: 2, authority: 'mixed' },
  },
  {
    name: 'a set alone, whose machines stay',
    run: (fixture) => fixture.ask('ClusterAPI', { set: true, machines: false }),
    calls: {},
    ends: { machines: 2, authority: 'mixed' },
  },
  {
    name: 'machines without their set',
    run: (fixture) => fixture.ask('ClusterAPI', { set: false, machines: true }),
    calls: {},
    ends: { machines: 2, authority: 'mixed' },
  },
];
