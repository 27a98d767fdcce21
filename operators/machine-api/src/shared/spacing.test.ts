import { ManualClock } from '@capstan/kube/testing';
import type { Change } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { MAPI_MACHINES } from '../kinds.js';
import { SPACING_MS, WriteSpacing } from './spacing.js';

/** A write of the spec, to an object that has this status. */
function change(spec: object, status: object = {}, name = 'm'): Change {
  const metadata = { name, namespace: 'n' };
  const before = { apiVersion: 'x/v1', kind: 'Machine', metadata, spec: { zone: 'of others' }, status } as KubeObject;
  return { verb: 'patch', kind: MAPI_MACHINES, before, after: { ...before, spec } };
}

/** A write of a status. */
function report(status: object): Change {
  const { before } = change({}) as Extract<Change, { verb: 'patch' }>;
  return { verb: 'patch', kind: MAPI_MACHINES, before, after: { ...before, status }, subresource: 'status' };
}

describe('Writes that are made again and again', () => {
  it('are made six times a minute at most', async () => {
    const clock = new ManualClock();
    const spacing = new WriteSpacing(clock);
    let writes = 0;
    for (let second = 0; second < 60; second += 1) {
      // Controllers report what they saw of each of them.
      if (spacing.waitMs(change({ zone: 'a' }, { observedGeneration: second })) === 0) writes += 1;
      await clock.advance(1_000);
    }
    expect(writes).toBe(6);
  });

  it('wait no longer than a discrepancy may last', async () => {
    const clock = new ManualClock();
    const spacing = new WriteSpacing(clock);
    expect(spacing.waitMs(change({ zone: 'a' }))).toBe(0);
    await clock.advance(4_000);
    expect(spacing.waitMs(change({ zone: 'a' }))).toBe(SPACING_MS - 4_000);
  });

  it('of another content, of another object, or after a failure wait for nothing', () => {
    const spacing = new WriteSpacing(new ManualClock());
    expect(spacing.waitMs(change({ zone: 'a' }))).toBe(0);
    expect(spacing.waitMs(change({ zone: 'b' }))).toBe(0);
    expect(spacing.waitMs(change({ zone: 'b' }, {}, 'other'))).toBe(0);
    spacing.forget(change({ zone: 'b' }));
    expect(spacing.waitMs(change({ zone: 'b' }))).toBe(0);
  });

  it('differ by more than the time of a condition', () => {
    const spacing = new WriteSpacing(new ManualClock());
    const at = (lastTransitionTime: string): Change => report({ conditions: [{ type: 'Ready', lastTransitionTime }] });
    expect(spacing.waitMs(at('2026-01-01T00:00:00Z'))).toBe(0);
    expect(spacing.waitMs(at('2026-01-01T00:00:01Z'))).toBeGreaterThan(0);
    expect(spacing.waitMs(report({ conditions: [{ type: 'Paused' }] }))).toBe(0);
  });
});
