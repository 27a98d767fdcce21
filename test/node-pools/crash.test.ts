import { NODE_POOLS } from '@capstan/hosting';
import type { FaultAction, FaultSource } from '@capstan/simulation';
import { describe, expect, it } from 'vitest';
import { imageOf, NAMESPACE, nodePool } from './objects.js';
import { OPERATOR, Fixture } from './fixture.js';

/** Strikes the n-th write of the process under test; counts them all. */
class StruckWrite implements FaultSource {
  writes = 0;
  readonly #at: number;
  readonly #action: FaultAction;

  constructor(at: number, action: FaultAction) {
    this.#at = at;
    this.#action = action;
  }

  strike({ process }: { readonly process: string }, point: string): FaultAction | undefined {
    if (process !== OPERATOR || !['change', 'create', 'delete'].includes(point)) return undefined;
    this.writes += 1;
    return this.writes === this.#at ? this.#action : undefined;
  }
}

/** From nothing to a pool, which is given another version, and back to nothing. */
async function run(faults: StruckWrite): Promise<string> {
  const fixture = await Fixture.begin({ faults, hasMachines: false });
  const { client } = fixture;
  await client.create(NODE_POOLS, nodePool('workers', { replicas: 2, nodeLabels: { a: 'b' } }));
  const userData = async (): Promise<string> => {
    const names = await fixture.poolSecrets();
    return names.filter((name) => name.startsWith('user-data')).join();
  };
  await fixture.until('user data', async () => (await userData()) !== '');
  await fixture.pass(30_000);
  const first = await userData();
  await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', {
    spec: { release: { image: imageOf('4.22.1') }, platform: { harbour: { size: 'large' } } },
  });
  await fixture.until('other user data', async () => !['', first].includes(await userData()));
  await fixture.pass(30_000);
  const { metadata, spec } = await fixture.deployment('workers');
  const { conditions = [] } = (await fixture.pool('workers')).status ?? {};
  const state = {
    secrets: await fixture.poolSecrets(),
    templates: await fixture.templates(),
    deployment: { spec, labels: metadata.labels, annotations: metadata.annotations },
    conditions: conditions.map(({ message, reason, status, type }) => ({ message, reason, status, type })),
  };
  await client.delete(NODE_POOLS, 'workers', { namespace: NAMESPACE });
  await fixture.until('it is gone', async () => !(await fixture.exists(NODE_POOLS, NAMESPACE, 'workers')));
  const left = [...(await fixture.poolSecrets()), ...(await fixture.templates())];
  return JSON.stringify({ state, left }, null, 1);
}

const ACTIONS: readonly FaultAction[] = [
  { kind: 'crash', when: 'before', downMs: 500 },
  { kind: 'crash', when: 'after', downMs: 500 },
  { kind: 'lost-after' },
];

/** Every write with every action: `CAPSTAN_SWEEP=all`. Otherwise each write is struck once, by one of them in turn. */
const isWhole = process.env['CAPSTAN_SWEEP'] === 'all';

describe('a pool whose operator crashes at any write', () => {
  it('reaches the same state after a restart', { timeout: 300_000 }, async () => {
    const undisturbed = new StruckWrite(0, { kind: 'lost-before' });
    const expected = await run(undisturbed);
    expect(JSON.parse(expected)).toMatchObject({ left: [] });
    expect(undisturbed.writes).toBeGreaterThan(15);
    for (let at = 1; at <= undisturbed.writes; at += 1)
      for (const [turn, action] of ACTIONS.entries())
        if (isWhole || at % ACTIONS.length === turn)
          expect(await run(new StruckWrite(at, action)), `${action.kind} at write ${at}`).toBe(expected);
  });
});
