import { patchFrom, sleep } from '@capstan/kube';
import type { Client, ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import type { ProcessDefinition } from '../engine/process.js';
import type { RehearsalOracle, SimulationState } from '../scenario.js';
import { NAMESPACES, snapshotOf } from './copy.js';
import { listPasses, passText } from './passes.js';
import { rehearse } from './rehearsal.js';
import type { RehearsalAction, RehearsalScenario } from './scenario.js';

const CONFIG_MAPS: ResourceKind = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  namespaced: true,
  kind: 'ConfigMap',
};

interface Machine extends KubeObject {
  readonly data: Readonly<Record<string, string>>;
}

const machine = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'm', namespace: 'n', uid: 'm', resourceVersion: '1' },
  data: { authority: 'A', paused: 'no', acknowledged: 'no' },
} as unknown as KubeObject;
const namespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'n', uid: 'n', resourceVersion: '1' },
  status: { phase: 'Active' },
} as unknown as KubeObject;
const COPY = snapshotOf([
  { resource: NAMESPACES, object: namespace },
  { resource: CONFIG_MAPS, object: machine },
]);

async function set(client: Client, data: Readonly<Record<string, string>>): Promise<void> {
  const before = await client.get<Machine>(CONFIG_MAPS, 'm', { namespace: 'n' });
  await patchFrom(client, CONFIG_MAPS, { before, after: { ...before, data: { ...before.data, ...data } } as Machine });
}

function machineIn(state: SimulationState): Machine['data'] {
  return (state.of('configmaps').find(({ metadata }) => metadata.name === 'm') as Machine).data;
}

/** Looks at the machine again and again, whatever befalls a look. */
function loop(name: string, look: (client: Client, data: Machine['data']) => Promise<void>): ProcessDefinition {
  return {
    name,
    start: async ({ client, clock, signal }) => {
      while (!signal.aborted) {
        const looked = client.get<Machine>(CONFIG_MAPS, 'm', { namespace: 'n' });
        await looked.then(({ data }) => look(client, data)).catch(() => undefined);
        await sleep(clock, 1_000);
      }
    },
  };
}

/** The controller of the machine: acknowledges that it is paused. */
const controller = loop('controller', async (client, { paused = '' }) => set(client, { acknowledged: paused }));

/** A handover of authority: pause, wait for the acknowledgement, switch; a step that fails takes it back. */
function handover(to: string, failAt: string | undefined, forgets: boolean): ProcessDefinition {
  return loop(`handover to ${to}`, async (client, { acknowledged, authority, paused }) => {
    if (authority === to) return set(client, { paused: forgets ? 'yes' : 'no' });
    if (failAt === 'switch' && paused === 'yes') return set(client, { paused: 'no', failed: 'switch' });
    return set(client, acknowledged === 'yes' ? { authority: to } : { paused: 'yes' });
  });
}

interface Variant {
  readonly standIns?: readonly ProcessDefinition[];
  readonly oracles?: readonly RehearsalOracle[];
  readonly forgets?: boolean;
}

function scenario({ forgets = false, oracles = [], standIns = [controller] }: Variant = {}): RehearsalScenario {
  return {
    copy: { snapshot: COPY },
    begin: ({ pass: { failAt } }) => {
      const action = (to: string): Omit<RehearsalAction, 'processes' | 'name'> => ({
        limitMs: 3_600_000,
        endOf: (state) => {
          const { authority, failed, paused } = machineIn(state);
          if (failed !== undefined) return { result: 'undone', reason: failed, message: 'it was taken back' };
          return authority === to && (forgets || paused === 'no') ? { result: 'done' } : undefined;
        },
        waitsFor: () => ({ step: 'acknowledge', message: 'the controller has not acknowledged' }),
        differences: ({ after }) => (machineIn(after)['paused'] === 'yes' ? ['m is paused'] : []),
      });
      return {
        standIns,
        oracles,
        actions: [
          { ...action('B'), name: 'the handover', processes: [handover('B', failAt, forgets)] },
          {
            ...action('A'),
            name: 'the way back',
            processes: [
              {
                name: 'user',
                start: ({ client }) => set(client, { back: 'yes' }),
              },
            ],
            endOf: (state) => (machineIn(state)['back'] === 'yes' ? { result: 'done' } : undefined),
          },
        ],
      };
    },
  };
}

const CALM = { seed: 0, isFaulty: false };

describe('A rehearsal of any scenario', () => {
  it('carries out its actions one after the other', async () => {
    const outcome = await rehearse(scenario(), CALM);
    expect(outcome).toMatchObject({ result: 'done', differences: [] });
    expect(outcome.durationMs).toBeGreaterThan(1_000);
    expect(outcome.durationMs).toBeLessThan(20_000);
  });

  it('ends with the action that was undone', async () => {
    expect(await rehearse(scenario(), { ...CALM, failAt: 'switch' })).toMatchObject({
      result: 'undone',
      reason: 'switch',
      message: 'it was taken back',
      differences: [],
    });
  });

  it('reports where one is stuck', async () => {
    expect(await rehearse(scenario({ standIns: [] }), CALM)).toMatchObject({
      result: 'stuck',
      reason: 'acknowledge',
      message: 'the controller has not acknowledged',
      durationMs: 3_600_000,
    });
  });

  it('reports what is not as it was, after which action', async () => {
    const { differences } = await rehearse(scenario({ forgets: true }), CALM);
    expect(differences).toEqual(['m is paused', 'after the way back: m is paused']);
  });

  it('shows every event to the oracles, and the end', async () => {
    const oracle: RehearsalOracle = {
      name: 'authority',
      onEvent: (event) =>
        event.type === 'commit' && (event.object as Machine).data['authority'] === 'B' ? 'B has it' : undefined,
      atEnd: (state) => [`at the end ${machineIn(state)['authority'] ?? ''}`],
    };
    const { differences } = await rehearse(scenario({ oracles: [oracle] }), CALM);
    expect(differences).toEqual(['authority: B has it', 'authority: at the end B']);
  });

  it.each([1, 2, 3])('under faults from seed %i ends, the same way each time', async (seed) => {
    const once = await rehearse(scenario(), { seed, isFaulty: true });
    expect(once).toMatchObject({ result: 'done', differences: [] });
    expect(await rehearse(scenario(), { seed, isFaulty: true })).toEqual(once);
  });

  it('ends when it is aborted', async () => {
    await expect(rehearse(scenario(), CALM, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
  });
});

it('Passes are the calm one, each step that fails, and each seed, with a name', () => {
  const passes = listPasses({ isCalm: true, failAt: ['copy'], seeds: [7] });
  expect(passes.map(passText)).toEqual(['nothing goes wrong', 'step copy fails', 'seed 7']);
});
