import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { controlPlaneVersion } from './compute.js';
import type { ComponentVersion, ControlPlaneVersionStatus, VersionWorld } from './compute.js';

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

function world(changes: Partial<VersionWorld>): VersionWorld {
  return {
    current: undefined,
    desired: release('4.20.0'),
    generation: 1,
    components: [at('4.20.0')],
    now: NOON,
    ...changes,
  };
}

const steady = controlPlaneVersion(world({}));

describe('the rules of the specification', () => {
  it('all components at the desired version and rolled out: Completed', () => {
    expect(steady).toEqual({
      desired: release('4.20.0'),
      observedGeneration: 1,
      history: [{ state: 'Completed', startedTime: NOON, completionTime: NOON, ...release('4.20.0') }],
    });
  });

  it.each<[string, ComponentVersion[]]>([
    ['one at another version', [at('4.20.0'), at('4.19.9')]],
    ['one of no version yet', [at('4.20.0'), { isRolledOut: false, observedGeneration: 1 }]],
    ['one not rolled out', [at('4.20.0'), { ...at('4.20.0'), isRolledOut: false }]],
    ['one that has not looked at this generation', [at('4.20.0'), at('4.20.0', 0)]],
  ])('%s: Partial', (_, components) => {
    const { history } = controlPlaneVersion(world({ components }));
    expect(history).toEqual([{ state: 'Partial', startedTime: NOON, completionTime: null, ...release('4.20.0') }]);
  });

  it('no components: desired and generation are said, and there is no history', () => {
    expect(controlPlaneVersion(world({ components: [] }))).toEqual({
      desired: release('4.20.0'),
      observedGeneration: 1,
    });
  });

  it('components that cannot be listed: the generation alone changes', () => {
    const next = controlPlaneVersion(
      world({ current: steady, components: undefined, generation: 2, desired: release('4.21.0') }),
    );
    expect(next).toEqual({ ...steady, observedGeneration: 2 });
  });

  it('another version: a new entry, and the one before is closed with its start', () => {
    const next = controlPlaneVersion(
      world({ current: steady, desired: release('4.20.1'), generation: 2, components: [at('4.20.0', 2)], now: LATER }),
    );
    expect(next.history).toEqual([
      { state: 'Partial', startedTime: LATER, completionTime: null, ...release('4.20.1') },
      { state: 'Completed', startedTime: NOON, completionTime: LATER, ...release('4.20.0') },
    ]);
  });

  it('another image of the same version: a new entry', () => {
    const next = controlPlaneVersion(world({ current: steady, desired: release('4.20.0', 'rebuilt'), generation: 2 }));
    expect(next.history?.map(({ image }) => image)).toEqual([
      release('4.20.0', 'rebuilt').image,
      release('4.20.0').image,
    ]);
  });

  it('what was completed stays so when a component falls back', () => {
    expect(controlPlaneVersion(world({ current: steady, components: [at('4.19.0')] }))).toBe(steady);
  });

  it('nothing changed: the very same status', () => {
    expect(controlPlaneVersion(world({ current: steady, now: LATER }))).toBe(steady);
  });

  it('a clock that went back is not believed', () => {
    const next = controlPlaneVersion(
      world({ current: steady, desired: release('4.20.1'), components: [at('4.20.1')], now: '2026-02-20T11:00:00Z' }),
    );
    expect(next.history?.[0]).toMatchObject({ startedTime: NOON, completionTime: NOON });
  });

  it('sixty upgrades: the fifty newest are kept', () => {
    let current: ControlPlaneVersionStatus | undefined;
    for (let patch = 0; patch < 60; patch += 1) {
      const desired = release(`4.20.${patch}`);
      current = controlPlaneVersion(world({ current, desired, components: [at(desired.version)] }));
    }
    expect(current?.history).toHaveLength(50);
    expect(current?.history?.[0]?.version).toBe('4.20.59');
    expect(current?.history?.at(-1)?.version).toBe('4.20.10');
  });
});

describe('the examples of the specification', () => {
  it('a failed upgrade followed by another', () => {
    const days = ['2026-02-01T08:00:00Z', '2026-02-24T10:00:00Z', '2026-02-25T14:00:00Z'];
    const [first = '', second = '', third = ''] = days;
    const done = controlPlaneVersion(world({ desired: release('4.19.6'), components: [at('4.19.6')], now: first }));
    const stuck = controlPlaneVersion(
      world({ current: done, desired: release('4.19.19'), components: [at('4.19.6')], now: second }),
    );
    const again = controlPlaneVersion(
      world({ current: stuck, desired: release('4.20.1'), components: [at('4.19.6')], now: third }),
    );
    expect(
      again.history?.map(({ completionTime, startedTime, state, version }) => [
        state,
        version,
        startedTime,
        completionTime,
      ]),
    ).toEqual([
      ['Partial', '4.20.1', third, null],
      ['Partial', '4.19.19', second, third],
      ['Completed', '4.19.6', first, second],
    ]);
  });

  it('a rollback is an attempt at the older version', () => {
    const up = controlPlaneVersion(
      world({ current: steady, desired: release('4.20.1'), generation: 2, components: [at('4.20.0')] }),
    );
    const back = controlPlaneVersion(world({ current: up, generation: 3, components: [at('4.20.0', 3)] }));
    expect(back.history?.map(({ state, version }) => [state, version])).toEqual([
      ['Completed', '4.20.0'],
      ['Partial', '4.20.1'],
      ['Completed', '4.20.0'],
    ]);
  });
});

it('whatever order components report in, history is well-formed', () => {
  const component = fc.record({
    version: fc.constantFrom('4.20.0', '4.20.1', '4.21.0', undefined),
    isRolledOut: fc.boolean(),
    observedGeneration: fc.nat(4),
  });
  const step = fc.record({
    desired: fc.constantFrom('4.20.0', '4.20.1', '4.21.0').map((version) => release(version)),
    generation: fc.integer({ min: 1, max: 4 }),
    components: fc.option(fc.array(component, { maxLength: 3 }), { nil: undefined }),
    hours: fc.nat(23),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      let current: ControlPlaneVersionStatus | undefined;
      for (const { components, desired, generation, hours } of steps) {
        const before = current?.history?.[0];
        const now = `2026-02-20T${String(hours).padStart(2, '0')}:00:00Z`;
        current = controlPlaneVersion({ current, desired, generation, components, now });
        const history = current.history ?? [];
        const open = history.filter(({ completionTime }) => completionTime === null);
        expect(open.length).toBeLessThanOrEqual(1);
        if (open.length === 1) expect(open[0]).toBe(history[0]);
        for (const [index, entry] of history.entries()) {
          const { completionTime, startedTime } = entry;
          if (completionTime !== null) expect(completionTime >= startedTime).toBe(true);
          const newer = history[index - 1];
          if (newer !== undefined)
            expect(newer.startedTime >= startedTime && completionTime === newer.startedTime).toBe(true);
        }
        const newest = history[0];
        if (newest?.state === 'Completed' && before?.state !== 'Completed')
          expect(
            components?.every(
              (each) => each.isRolledOut && each.version === newest.version && each.observedGeneration >= generation,
            ),
          ).toBe(true);
      }
    }),
  );
});
