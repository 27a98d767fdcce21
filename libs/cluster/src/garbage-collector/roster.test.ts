import { describe, expect, it } from 'vitest';
import type { KubeObject, ObjectMeta } from '@capstan/meta';
import { Roster } from './roster.js';

interface Seen {
  readonly roster: Roster;
  /** The calls of the graph, in order. */
  readonly calls: string[];
  readonly changes: () => number;
}

function make(): Seen {
  const calls: string[] = [];
  let changes = 0;
  const roster = new Roster({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    observe: ({ identity, ...rest }) => {
      const flags = (['beingDeleted', 'foreground', 'orphan'] as const).filter((flag) => rest[flag]);
      const owners = rest.owners.map((owner) => `<${owner.uid}`);
      calls.push(['+', identity.namespace, identity.name, identity.uid, ...owners, ...flags].join(' '));
    },
    remove: ({ namespace, name, uid, apiVersion, kind }) =>
      calls.push(`- ${namespace} ${name} ${uid} ${apiVersion} ${kind}`),
    changed: () => {
      changes += 1;
    },
  });
  return { roster, calls, changes: () => changes };
}

function object(name: string, uid: string, more: Partial<ObjectMeta> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'PartialObjectMetadata', metadata: { namespace: 'n', name, uid, ...more } };
}

describe('Roster', () => {
  it('reads of an object what collecting garbage needs', () => {
    const { roster, calls } = make();
    const owner = { apiVersion: 'v1', kind: 'Secret', name: 'o', uid: 'u-o' };
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    for (const more of [
      {},
      { ownerReferences: [owner] },
      { finalizers: ['foregroundDeletion'], deletionTimestamp },
      { finalizers: ['orphan'], deletionTimestamp },
    ])
      roster.upsert(roster.reduce(object('a', 'u-a', more)));
    expect(calls).toEqual([
      '+ n a u-a',
      '+ n a u-a <u-o',
      '+ n a u-a beingDeleted foreground',
      '+ n a u-a beingDeleted orphan',
    ]);
  });

  it('is complete with the initial state, and reports changes only after it', async () => {
    const { roster, calls, changes } = make();
    const complete = roster.whenComplete();
    roster.replace([roster.reduce(object('a', 'u-a'))]);
    await complete;
    await roster.whenComplete();
    expect([calls, changes()]).toEqual([['+ n a u-a'], 0]);
    roster.upsert(roster.reduce(object('b', 'u-b')));
    roster.remove(roster.reduce(object('b', 'u-b')));
    expect(changes()).toBe(2);
  });

  it('finds out from a later state who went unseen, and who came back as another', () => {
    const { roster, calls } = make();
    roster.replace(['a', 'b', 'c'].map((name) => roster.reduce(object(name, `u-${name}`))));
    calls.length = 0;
    roster.replace([roster.reduce(object('a', 'u-a')), roster.reduce(object('b', 'u-b2'))]);
    expect(calls).toEqual(['+ n a u-a', '- n b u-b v1 ConfigMap', '+ n b u-b2', '- n c u-c v1 ConfigMap']);
  });

  it('takes another uid of a name for another object', () => {
    const { roster, calls } = make();
    roster.replace([roster.reduce(object('a', 'u-1'))]);
    roster.upsert(roster.reduce(object('a', 'u-2')));
    expect(calls).toEqual(['+ n a u-1', '- n a u-1 v1 ConfigMap', '+ n a u-2']);
  });

  it('removes what it knows and nothing else', () => {
    const { roster, calls } = make();
    roster.replace([roster.reduce(object('a', 'u-a'))]);
    roster.remove(roster.reduce(object('b', 'u-b')));
    roster.remove(roster.reduce(object('a', 'u-a')));
    roster.remove(roster.reduce(object('a', 'u-a')));
    expect(calls).toEqual(['+ n a u-a', '- n a u-a v1 ConfigMap']);
  });
});
