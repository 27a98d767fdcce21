import type { ControlPlaneComponent, ControlPlaneVersionStatus } from '@capstan/api/hypershift';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { componentVersions } from './components.js';
import { controlPlaneVersion, unlistedVersion } from './compute.js';
import type { ComponentVersion, VersionInputs } from './compute.js';

const release = (version: string, build = version): { version: string; image: string } => ({
  version,
  image: `quay.io/openshift-release-dev/ocp-release@sha256:${build}`,
});
const at = (version: string, observedGeneration = 1): ComponentVersion => ({
  version,
  isRolledOut: true,
  observedGeneration,
});
const NOON = '2026-02-20T12:00:00Z';
const LATER = '2026-02-20T13:00:00Z';

function inputs(changes: Partial<VersionInputs>): VersionInputs {
  return {
    current: undefined,
    desired: release('4.20.0'),
    generation: 1,
    components: [at('4.20.0')],
    now: NOON,
    ...changes,
  };
}

const steady = controlPlaneVersion(inputs({}));
const entries = ({ history = [] }: ControlPlaneVersionStatus): unknown[] =>
  history.map(({ completionTime, startedTime, state, version }) => [state, version, startedTime, completionTime]);

describe('the unit tests of the specification', () => {
  it('All components at desired version with RolloutComplete=True -> Completed', () => {
    expect(steady).toEqual({
      desired: release('4.20.0'),
      observedGeneration: 1,
      history: [{ state: 'Completed', startedTime: NOON, completionTime: NOON, ...release('4.20.0') }],
    });
  });

  it.each<[string, ComponentVersion[]]>([
    ['one at another version', [at('4.20.0'), at('4.19.9')]],
    ['all at other versions', [at('4.19.8'), at('4.19.9')]],
    ['one of no version yet', [at('4.20.0'), { isRolledOut: false, observedGeneration: 1 }]],
    ['one not rolled out', [at('4.20.0'), { ...at('4.20.0'), isRolledOut: false }]],
  ])('Version mismatch on one or more components -> Partial: %s', (_, components) => {
    const { history } = controlPlaneVersion(inputs({ components }));
    expect(history).toEqual([{ state: 'Partial', startedTime: NOON, completionTime: null, ...release('4.20.0') }]);
  });

  it('No ControlPlaneComponent resources found -> nil/empty history', () => {
    expect(controlPlaneVersion(inputs({ components: [] }))).toEqual({
      desired: release('4.20.0'),
      observedGeneration: 1,
    });
  });

  it('Version change (new desired) -> new Partial entry prepended, previous entry closed', () => {
    const next = controlPlaneVersion(
      inputs({ current: steady, desired: release('4.20.1'), generation: 2, components: [at('4.20.0', 2)], now: LATER }),
    );
    expect(next).toEqual({
      desired: release('4.20.1'),
      observedGeneration: 2,
      history: [
        { state: 'Partial', startedTime: LATER, completionTime: null, ...release('4.20.1') },
        { state: 'Completed', startedTime: NOON, completionTime: LATER, ...release('4.20.0') },
      ],
    });
  });

  it('History pruning at 50 entries: of sixty upgrades the fifty newest are kept', () => {
    let current: ControlPlaneVersionStatus | undefined;
    for (let patch = 0; patch < 60; patch += 1) {
      const desired = release(`4.20.${patch}`);
      const generation = patch + 1;
      current = controlPlaneVersion(
        inputs({ current, desired, generation, components: [at(desired.version, generation)] }),
      );
    }
    expect(current?.history?.map(({ version }) => version)).toEqual(
      Array.from({ length: 50 }, (_, index) => `4.20.${59 - index}`),
    );
    expect(new Set(current?.history?.map(({ state }) => state))).toEqual(new Set(['Completed']));
  });

  it('Failed upgrade followed by new upgrade -> correct history ordering, as in the example', () => {
    const [first, second, third] = ['2026-02-01T08:00:00Z', '2026-02-24T10:00:00Z', '2026-02-25T14:00:00Z'];
    const components = [at('4.19.6')];
    const done = controlPlaneVersion(inputs({ desired: release('4.19.6'), components, now: first }));
    const stuck = controlPlaneVersion(
      inputs({ current: done, desired: release('4.19.19'), generation: 2, components, now: second }),
    );
    const again = controlPlaneVersion(
      inputs({ current: stuck, desired: release('4.20.1'), generation: 3, components, now: third }),
    );
    expect(entries(again)).toEqual([
      ['Partial', '4.20.1', third, null],
      ['Partial', '4.19.19', second, third],
      ['Completed', '4.19.6', first, second],
    ]);
  });
});

describe('what the specification leaves open', () => {
  const upgrade = (changes: Partial<VersionInputs>): ControlPlaneVersionStatus =>
    controlPlaneVersion(inputs({ current: steady, desired: release('4.20.1'), generation: 2, now: LATER, ...changes }));

  it('components that cannot be listed: the generation alone changes', () => {
    expect(unlistedVersion(steady, 2)).toEqual({ ...steady, observedGeneration: 2 });
    expect(unlistedVersion(steady, 1)).toBe(steady);
    expect(unlistedVersion(undefined, 2)).toBeUndefined();
  });

  it('components that are all deleted: the history stays, and nothing is started or completed', () => {
    expect(upgrade({ components: [] })).toEqual({ ...steady, desired: release('4.20.1'), observedGeneration: 2 });
  });

  it('a change of the image alone is a new entry, not completed by what components reported for the one before', () => {
    const rebuilt = release('4.20.0', 'rebuilt');
    const change = { desired: rebuilt, components: [at('4.20.0', 1)] };
    const open = { state: 'Partial', startedTime: LATER, completionTime: null, ...rebuilt };
    expect(upgrade(change).history?.[0]).toEqual(open);
    const done = upgrade({ ...change, components: [at('4.20.0', 2)] });
    expect(done.history?.[0]).toEqual({ ...open, state: 'Completed', completionTime: LATER });
    expect(done.history?.[1]).toEqual({ ...steady.history?.[0], completionTime: LATER });
  });

  it('a rollback is an attempt at the older version', () => {
    const up = upgrade({ components: [at('4.20.0', 1)] });
    const back = controlPlaneVersion(inputs({ current: up, generation: 3, components: [at('4.20.0', 2)], now: LATER }));
    const versions = ({ history = [] }: ControlPlaneVersionStatus): unknown[] =>
      history.map(({ state, version }) => [state, version]);
    expect(versions(back)).toEqual([
      ['Partial', '4.20.0'],
      ['Partial', '4.20.1'],
      ['Completed', '4.20.0'],
    ]);
    const there = controlPlaneVersion(inputs({ current: back, generation: 3, components: [at('4.20.0', 3)] }));
    expect(versions(there)[0]).toEqual(['Completed', '4.20.0']);
  });

  it('what was completed stays so when a component falls back', () => {
    expect(controlPlaneVersion(inputs({ current: steady, components: [at('4.19.0')] }))).toBe(steady);
  });

  it('nothing changed: the very same status, whatever the time', () => {
    expect(controlPlaneVersion(inputs({ current: steady, now: LATER }))).toBe(steady);
    const open = upgrade({ components: [at('4.20.0', 2)] });
    expect(upgrade({ current: open, components: [at('4.20.0', 2)], now: '2026-02-20T14:00:00Z' })).toBe(open);
  });

  it('another generation of the same release: observedGeneration alone changes', () => {
    expect(controlPlaneVersion(inputs({ current: steady, generation: 5 }))).toEqual({
      ...steady,
      observedGeneration: 5,
    });
  });

  it('a clock that went back is not believed', () => {
    const next = upgrade({ components: [at('4.20.1', 2)], now: '2026-02-20T11:00:00Z' });
    expect(entries(next)).toEqual([
      ['Completed', '4.20.1', NOON, NOON],
      ['Completed', '4.20.0', NOON, NOON],
    ]);
  });

  it('a new operator reports what it finds, though the control plane was changed since', () => {
    const components = [at('4.20.0', 3), at('4.20.0', 3)];
    expect(entries(controlPlaneVersion(inputs({ generation: 4, components })))).toEqual([
      ['Completed', '4.20.0', NOON, NOON],
    ]);
    const behind = [at('4.20.0', 3), at('4.19.9', 3)];
    expect(entries(controlPlaneVersion(inputs({ generation: 4, components: behind })))).toEqual([
      ['Partial', '4.20.0', NOON, null],
    ]);
  });
});

describe('components', () => {
  const component = (name: string, status: 'False' | 'True', version?: string): ControlPlaneComponent =>
    ({
      metadata: { name },
      status: { version, observedGeneration: 2, conditions: [{ type: 'RolloutComplete', status }] },
    }) as unknown as ControlPlaneComponent;
  const done = component('etcd', 'True', '4.20.0');
  const there = { version: '4.20.0', isRolledOut: true, observedGeneration: 2 };
  const unmade = { isRolledOut: false, observedGeneration: 0 };
  const silent = { metadata: { name: 'etcd' } } as ControlPlaneComponent;
  it.each<[string, Parameters<typeof componentVersions>[0], readonly ComponentVersion[]]>([
    ['are what they say', { components: [done], parts: ['etcd'], isPartial: false }, [there]],
    [
      'of others count too',
      { components: [done, component('capi-provider', 'False')], parts: ['etcd'], isPartial: false },
      [there, { version: undefined, isRolledOut: false, observedGeneration: 2 }],
    ],
    [
      'that say nothing are not there',
      { components: [silent], parts: ['etcd'], isPartial: false },
      [{ ...unmade, version: undefined }],
    ],
    ['that are still to be made', { components: [done], parts: ['etcd', 'x'], isPartial: false }, [there, unmade]],
    ['that is not known yet', { components: [done], parts: ['etcd'], isPartial: true }, [there, unmade]],
    ['of which there is none', { components: [], parts: ['etcd'], isPartial: true }, []],
  ])('%s', (_, known, versions) => {
    expect(componentVersions(known)).toEqual(versions);
  });
});

/** The result of each pass must be well-formed, and follow from the one before. */
function checkPass(
  before: ControlPlaneVersionStatus | undefined,
  after: ControlPlaneVersionStatus,
  { components, desired, generation }: VersionInputs,
): void {
  const history = after.history ?? [];
  const open = history.filter(({ completionTime }) => completionTime === null);
  expect(open.length).toBeLessThanOrEqual(1);
  if (open.length === 1) expect(open[0]).toBe(history[0]);
  for (const [index, { completionTime, startedTime, state }] of history.entries()) {
    if (typeof completionTime === 'string') expect(completionTime >= startedTime).toBe(true);
    expect(completionTime === null).toBe(index === 0 && state === 'Partial');
    const newer = history[index - 1];
    if (newer !== undefined)
      expect([newer.startedTime >= startedTime, completionTime]).toEqual([true, newer.startedTime]);
  }
  const newest = history[0];
  if (newest === undefined || components.length === 0) {
    expect(history).toEqual(before?.history ?? []);
    return;
  }
  expect([newest.version, newest.image]).toEqual([desired.version, desired.image]);
  const was = before?.history?.[0];
  const isSame = was?.version === newest.version && was.image === newest.image;
  if (isSame && was.state === 'Completed') expect(newest).toEqual(was);
  else {
    const since = history.length === 1 ? 1 : generation;
    const isDone = components.every(
      (each) => each.isRolledOut && each.version === desired.version && each.observedGeneration >= since,
    );
    expect(newest.state).toBe(isDone ? 'Completed' : 'Partial');
  }
}

it('whatever order components report in, history is well-formed', () => {
  const component = fc.record({
    version: fc.constantFrom('4.20.0', '4.20.1', '4.21.0', undefined),
    isRolledOut: fc.boolean(),
    observedGeneration: fc.nat(4),
  });
  const desired = fc
    .tuple(fc.constantFrom('4.20.0', '4.20.1', '4.21.0'), fc.constantFrom('first', 'second'))
    .map(([version, build]) => release(version, `${version}-${build}`));
  // Mostly components that are where they should be: drawn apart they would hardly ever all be.
  const step = fc.record({ desired, generation: fc.integer({ min: 1, max: 4 }), hours: fc.nat(23) }).chain((drawn) =>
    fc.record({
      drawn: fc.constant(drawn),
      components: fc.array(
        fc.oneof({ weight: 3, arbitrary: fc.constant(at(drawn.desired.version, drawn.generation)) }, component),
        { maxLength: 3 },
      ),
    }),
  );
  const seen = { completed: 0, partial: 0 };
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      let current: ControlPlaneVersionStatus | undefined;
      for (const { components, drawn } of steps) {
        const { hours, ...wanted } = drawn;
        const now = `2026-02-20T${String(hours).padStart(2, '0')}:00:00Z`;
        const given: VersionInputs = { ...wanted, current, components, now };
        const next = controlPlaneVersion(given);
        checkPass(current, next, given);
        current = next;
        seen[next.history?.[0]?.state === 'Completed' ? 'completed' : 'partial'] += 1;
      }
    }),
  );
  expect(Math.min(seen.completed, seen.partial)).toBeGreaterThan(0);
});
