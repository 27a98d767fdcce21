import { CONTROL_PLANE_COMPONENTS, HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import type { FaultAction, FaultSource } from '@capstan/simulation';
import { describe, expect, it } from 'vitest';
import { DEPLOYMENTS, SECRETS, SERVICES, STATEFUL_SETS } from './kinds.js';
import { controlPlane, NAME } from './objects.js';
import { OPERATOR, SimulatedFixture } from './simulated-fixture.js';

const KINDS = [DEPLOYMENTS, STATEFUL_SETS, SERVICES, SECRETS, CONTROL_PLANE_COMPONENTS];
const CONFIG_OPERATOR = 'clusters-one/hosted-cluster-config-operator/hosted-cluster-config-operator';

/** Strikes the n-th write of the operator; counts them all. */
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

async function raised(faults?: FaultSource): Promise<SimulatedFixture> {
  const fixture = await SimulatedFixture.begin(faults);
  const [releaseImage = ''] = fixture.hosted.images;
  await fixture.client.create(HOSTED_CONTROL_PLANES, controlPlane({ releaseImage }));
  await fixture.until('it is available', async () => (await fixture.plane()).status?.ready === true);
  return fixture;
}

const reached = (fixture: SimulatedFixture, version: string) => async (): Promise<boolean> =>
  (await fixture.components()).every(({ status }) => status?.version === version);

/** What there is of a control plane, without keys, tokens and times. */
async function stateOf(fixture: SimulatedFixture): Promise<object> {
  const objects = await Promise.all(KINDS.map((kind) => fixture.list(kind)));
  const { conditions = [], controlPlaneEndpoint, initialized, ready, version } = (await fixture.plane()).status ?? {};
  return {
    objects: objects.map((list) =>
      list.map(({ data = {}, metadata: { labels, name }, spec }) => ({
        name,
        labels,
        spec,
        keys: Object.keys(data as object),
      })),
    ),
    components: (await fixture.components()).map(({ metadata, status }) => [
      metadata.name,
      status?.version,
      status?.resources,
    ]),
    status: { controlPlaneEndpoint, initialized, ready, version },
    conditions: conditions.map(({ reason, status, type }) => [type, status, reason]),
  };
}

/** From nothing to a cluster, to another release, and back to nothing. */
async function run(faults: StruckWrite): Promise<string> {
  const fixture = await raised(faults);
  const [, releaseImage = ''] = fixture.hosted.images;
  await fixture.merge({ spec: { releaseImage } });
  await fixture.until('it is upgraded', reached(fixture, '4.22.1'));
  await fixture.pass(60_000);
  const state = await stateOf(fixture);
  await fixture.client.delete(HOSTED_CONTROL_PLANES, NAME, { namespace: 'clusters-one' });
  await fixture.until('it is gone', async () => !(await fixture.isThere(HOSTED_CONTROL_PLANES, NAME)));
  await fixture.pass(60_000);
  const left = (await Promise.all(KINDS.map((kind) => fixture.list(kind)))).flat().map(({ metadata }) => metadata.name);
  fixture.simulation.end();
  return JSON.stringify({ state, left }, undefined, 1);
}

const ACTIONS: readonly FaultAction[] = [
  { kind: 'crash', when: 'after', downMs: 500 },
  { kind: 'crash', when: 'before', downMs: 500 },
  { kind: 'lost-after' },
];

describe('a control plane in virtual time', () => {
  it('rolls out with a cluster that answers, and then writes nothing', { timeout: 60_000 }, async () => {
    const fixture = await raised();
    await fixture.until('it has a version', async () => (await fixture.plane()).status?.versionStatus !== undefined);
    const guest = fixture.hosted.guestClient('clusters-one');
    const version = await guest.get(
      { group: 'config.openshift.io', version: 'v1', plural: 'clusterversions', namespaced: false },
      'version',
    );
    expect(version).toMatchObject({ status: { history: [{ version: '4.22.0', state: 'Partial' }] } });
    await fixture.pass(60_000);
    const since = fixture.simulation.elapsed;
    await fixture.pass(300_000);
    expect([...fixture.requests(OPERATOR, since), ...fixture.requests(CONFIG_OPERATOR, since)]).toEqual([]);
    fixture.simulation.end();
  });

  it('reaches the same state whatever write is the last of its operator', { timeout: 300_000 }, async () => {
    const undisturbed = new StruckWrite(0, { kind: 'lost-before' });
    const expected = await run(undisturbed);
    expect(JSON.parse(expected)).toMatchObject({ left: ['pull-secret'] });
    expect(undisturbed.writes).toBeGreaterThan(300);
    // All of them take minutes; each run of CI takes these, and `CAPSTAN_EVERY_WRITE=1` all.
    const isWhole = process.env['CAPSTAN_EVERY_WRITE'] === '1';
    const stride = isWhole ? 1 : Math.ceil(undisturbed.writes / 3);
    for (let at = 1, turn = 0; at <= undisturbed.writes; at += stride, turn += 1) {
      const action = ACTIONS[turn % ACTIONS.length] ?? { kind: 'lost-after' };
      expect(await run(new StruckWrite(at, action)), `${action.kind} at write ${at}`).toBe(expected);
    }
  });
});
