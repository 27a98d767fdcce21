import { canonicalJson } from '@capstan/meta';
import { COPIED_FROM_ANNOTATION, COPIED_GENERATION_ANNOTATION } from '@capstan/migration';
import { hasOriginal } from '@capstan/tools';
import { beforeAll, describe, expect, it } from 'vitest';
import { onReal } from '../cluster-api/places.js';
import { moveThereAndBack } from './upstream-manager.js';
import type { Moves, Snapshot } from './upstream-manager.js';

interface Seen {
  readonly metadata: { annotations?: Record<string, string> };
  writers: readonly string[];
}

/** A snapshot without the marks that a copy carries: all that may differ. */
function unmarked(snapshot: Snapshot = {}): Snapshot {
  const counted: Snapshot = {};
  for (const [text, count] of Object.entries(snapshot)) {
    const object = JSON.parse(text) as Seen;
    const { annotations = {} } = object.metadata;
    const kept = Object.entries(annotations).filter(([key]) => !MARKS.has(key));
    if (kept.length > 0) object.metadata.annotations = Object.fromEntries(kept);
    else delete object.metadata.annotations;
    // Of the marks that are left.
    object.writers = object.writers.filter((writer) => writer !== MIGRATION);
    const plain = canonicalJson(object);
    counted[plain] = (counted[plain] ?? 0) + count;
  }
  return counted;
}

const MIGRATION = 'hypershift-migration Update ';
const MARKS: ReadonlySet<string> = new Set([COPIED_FROM_ANNOTATION, COPIED_GENERATION_ANNOTATION]);

/** What differs, as lines. */
function differences(first: Snapshot | undefined, second: Snapshot | undefined): string[] {
  const [before, after] = [unmarked(first), unmarked(second)];
  const texts = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return texts
    .filter((text) => before[text] !== after[text])
    .map((text) => `${before[text] ?? 0} before, ${after[text] ?? 0} after: ${text}`);
}

describe.skipIf(!hasOriginal())('a cluster of the upstream manager of Cluster API, on a real kube-apiserver,', () => {
  let moves: Moves;
  beforeAll(async () => {
    moves = await onReal(moveThereAndBack);
  }, 1_200_000);

  it('is migrated and rolled back by the migration itself', () => {
    expect(moves.conditions[0]).toBe('True Migrated: Cluster API objects are in the private groups');
    expect(moves.conditions[1]).toContain('False Failed: rolled back (manual-rollback)');
  });

  it('looks the same to the manager after it was moved to the private groups', () => {
    expect(differences(moves.seen[0], moves.seen[1])).toEqual([]);
  });

  it('looks the same to the manager after it was moved back', () => {
    expect(differences(moves.seen[2], moves.seen[3])).toEqual([]);
  });

  it('keeps its instances in both moves', () => {
    expect(moves.instances[1]).toEqual(moves.instances[0]);
    expect(moves.instances[3]).toEqual(moves.instances[2]);
    expect(moves.instances[0]).toHaveLength(2);
  });
});
