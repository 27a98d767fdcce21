import { describe, expect, it } from 'vitest';
import { correctionOf, reconcilerOf } from './reconciler.js';
import type { CapiEvidence } from './reconciler.js';
import { turnOf } from './turn.js';
import type { OperatorMode } from './turn.js';

type Annotations = Readonly<Record<string, string>>;
const PREFIX = 'hypershift.openshift.io/';
const JOURNAL = '{"id":"a1","startedAt":"2026-01-01T00:00:00Z"}';
const ROLLBACK = '{"id":"a1","startedAt":"2026-01-01T00:00:00Z","rollback":{"reason":"manual-rollback"}}';
const LOCK = { 'migration-in-progress': 'true', 'migration-journal': JOURNAL };

function cluster(annotations: Annotations): Parameters<typeof reconcilerOf>[0] {
  const own = Object.entries(annotations).map(([name, value]) => [`${PREFIX}${name}`, value]);
  return { metadata: { name: 'a', annotations: Object.fromEntries(own) } };
}

const TWO: Readonly<Record<string, OperatorMode>> = {
  private: { kind: 'private' },
  legacy: { kind: 'legacy' },
  shard: { kind: 'shard', scope: 'shard-1' },
};
/** What operators side by side do, those that leave the cluster left out. */
function turnsOf(annotations: Annotations): string {
  return Object.entries(TWO)
    .map(([name, mode]) => [name, turnOf(mode, cluster(annotations))] as const)
    .filter(([, turn]) => turn.do !== 'leave')
    .map(([name, turn]) => `${name}: ${Object.values(turn).join(' ')}`)
    .join(', ');
}

describe('Of operators side by side, the one that acts on a HostedCluster', () => {
  it.each<[string, Annotations, string]>([
    ['is the new one when it is marked', { 'private-capi-types': 'true' }, 'private: reconcile'],
    ['is the legacy one in its scope', { scope: 'legacy' }, 'legacy: reconcile'],
    ['only acknowledges the lock of a migration', { scope: 'legacy', ...LOCK }, 'legacy: acknowledge a1'],
    [
      'is the new one under a lock after the commit',
      { 'private-capi-types': 'true', ...LOCK },
      'private: acknowledge a1',
    ],
    [
      'only acknowledges a foreign lock',
      { scope: 'legacy', 'migration-in-progress': 'true' },
      'legacy: acknowledge foreign',
    ],
    [
      'only acknowledges a lock whose journal cannot be read',
      { 'private-capi-types': 'true', 'migration-in-progress': 'true', 'migration-journal': '{' },
      'private: acknowledge foreign',
    ],
    ['is the legacy one after a failure', { scope: 'legacy', 'migration-failed': 'x' }, 'legacy: reconcile'],
    ['is the legacy one after a failure without a scope', { 'migration-failed': 'x' }, 'legacy: reconcile'],
    [
      'is the new one after a failure when it is private',
      { 'private-capi-types': 'true', 'migration-failed': 'x' },
      'private: reconcile',
    ],
    ['is the new one without annotations, which marks it first', {}, 'private: decide unmarked'],
    ['is the new one when its scope is empty', { scope: '' }, 'private: decide unmarked'],
    ['is the new one when it is marked as not private', { 'private-capi-types': 'false' }, 'private: decide unmarked'],
    [
      'is the new one when it is both, which repairs it first',
      { scope: 'legacy', 'private-capi-types': 'true' },
      'private: decide invalid',
    ],
    [
      'is the new one when a lock was removed without its journal',
      { scope: 'legacy', 'migration-journal': JOURNAL },
      'private: decide invalid',
    ],
    [
      'acknowledges a lock of one that is both',
      { scope: 'legacy', 'private-capi-types': 'true', ...LOCK },
      'private: acknowledge a1',
    ],
    [
      'acknowledges a lock of one that is unmarked',
      { 'migration-in-progress': 'true' },
      'private: acknowledge foreign',
    ],
    ['is the shard of its scope', { scope: 'shard-1' }, 'shard: reconcile'],
    [
      'is the shard of its scope, whatever else it is',
      { scope: 'shard-1', 'private-capi-types': 'true' },
      'shard: reconcile',
    ],
    ['is none here when its scope is another', { scope: 'shard-2' }, ''],
    [
      'is the shard that a lock stops',
      { scope: 'shard-1', 'migration-in-progress': 'true' },
      'shard: acknowledge foreign',
    ],
  ])('%s', (_, annotations, expected) => {
    expect(turnsOf(annotations)).toBe(expected);
  });

  it('is never more than one, by any combination of annotations', () => {
    const values = {
      scope: [undefined, '', 'legacy', 'shard-1', 'shard-2'],
      'private-capi-types': [undefined, 'true', 'false'],
      'migration-in-progress': [undefined, 'true'],
      'migration-failed': [undefined, 'x'],
      'migration-journal': [undefined, JOURNAL, '{'],
    };
    let combinations: Annotations[] = [{}];
    for (const [name, each] of Object.entries(values))
      combinations = combinations.flatMap((before) =>
        each.map((value) => (value === undefined ? before : { ...before, [name]: value })),
      );
    expect(combinations).toHaveLength(180);
    const wrong = combinations.filter((annotations) => {
      const turns = turnsOf(annotations);
      // Under a lock nothing is reconciled nor corrected; without one, only scopes of others are left alone.
      const expected =
        annotations['migration-in-progress'] === 'true' ? /^\w+: acknowledge \S+$/ : /^\w+: (reconcile|decide \w+)$/;
      return annotations['scope'] === 'shard-2' ? turns !== '' : !expected.test(turns);
    });
    expect(wrong).toEqual([]);
  });
});

describe('The only operator of a management cluster', () => {
  it.each<[string, string | undefined, Annotations, string]>([
    ['reconciles every scope', undefined, { scope: 'a' }, 'reconcile'],
    ['reconciles what has no scope', undefined, {}, 'reconcile'],
    ['reconciles what failed', undefined, { scope: 'legacy', 'migration-failed': 'x' }, 'reconcile'],
    ['reconciles its scope', 'a', { scope: 'a' }, 'reconcile'],
    ['leaves other scopes', 'a', { scope: 'b' }, 'leave'],
    ['leaves scopes when its own is empty', '', { scope: 'b' }, 'leave'],
    ['leaves private types', undefined, { 'private-capi-types': 'true' }, 'leave'],
    ['leaves what is legacy and private', undefined, { 'private-capi-types': 'true', scope: 'legacy' }, 'leave'],
    ['stops for a lock', undefined, LOCK, 'acknowledge'],
  ])('%s', (...[, scope, annotations, expected]) => {
    expect(turnOf({ kind: 'standard', scope }, cluster(annotations)).do).toBe(expected);
  });
});

describe('Annotations that do not decide', () => {
  const NONE = { standard: false, private: false };
  const STANDARD = { standard: true, private: false };
  const PRIVATE = { standard: false, private: true };
  const BOTH = { standard: true, private: true };
  const INVALID = { scope: 'legacy', 'private-capi-types': 'true' };
  it.each<[string, Annotations, CapiEvidence, Annotations | string]>([
    ['become private without objects', {}, NONE, { 'private-capi-types': 'true' }],
    ['become legacy by standard objects', {}, STANDARD, { scope: 'legacy' }],
    ['become private by private objects', {}, PRIVATE, { 'private-capi-types': 'true' }],
    ['stay as they are with objects of both', {}, BOTH, 'both groups have objects'],
    ['lose the scope without objects', INVALID, NONE, { 'private-capi-types': 'true' }],
    ['lose the private types by standard objects', INVALID, STANDARD, { scope: 'legacy' }],
    ['lose the scope by private objects', INVALID, PRIVATE, { 'private-capi-types': 'true' }],
    ['stay invalid with objects of both and no journal', INVALID, BOTH, 'both groups have objects'],
    [
      'get the lock again with objects of both and a journal',
      { ...INVALID, 'migration-journal': JOURNAL },
      BOTH,
      { ...INVALID, ...LOCK },
    ],
    [
      'stay invalid with objects of both and a journal that cannot be read',
      { ...INVALID, 'migration-journal': '{' },
      BOTH,
      'both groups have objects',
    ],
    [
      'get the lock again with the journal of a rollback, whose Deployments may be scaled down',
      { 'private-capi-types': 'true', 'migration-journal': ROLLBACK },
      PRIVATE,
      { 'private-capi-types': 'true', 'migration-journal': ROLLBACK, 'migration-in-progress': 'true' },
    ],
    [
      'lose a journal with objects of one',
      { scope: 'legacy', 'migration-journal': JOURNAL },
      STANDARD,
      { scope: 'legacy' },
    ],
  ])('%s', (...[, annotations, evidence, expected]) => {
    const before = cluster(annotations);
    const found = correctionOf(before, evidence);
    if ('problem' in found) return expect(found.problem).toContain(expected);
    const merged = { ...before.metadata.annotations, ...found.changes };
    const after = Object.entries(merged).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.slice(PREFIX.length), value]],
    );
    expect(Object.fromEntries(after)).toEqual(expected);
    expect(reconcilerOf({ metadata: { annotations: merged as Record<string, string> } }).by).not.toBe('undecided');
  });
});
