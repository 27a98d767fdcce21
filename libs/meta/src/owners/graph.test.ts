import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../object.js';
import { ownerLevels, remapOwnerReferences } from './graph.js';

function object(name: string, ...owners: readonly string[]): KubeObject {
  const ownerReferences = owners.map((owner) => ({
    apiVersion: 'v1',
    kind: 'Thing',
    name: owner,
    uid: `uid-${owner}`,
  }));
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name, namespace: 'n', uid: `uid-${name}`, ownerReferences } };
}

const namesOf = (levels: readonly (readonly KubeObject[])[]): (string | undefined)[][] =>
  levels.map((level) => level.map(({ metadata }) => metadata.name));

describe('Levels of owners', () => {
  it('put every owner before what it owns, whatever the order of the list', () => {
    const objects = [object('machine', 'set'), object('set', 'deployment', 'cluster'), object('deployment', 'cluster')];
    const levels = ownerLevels([...objects, object('cluster')]);
    expect(namesOf(levels)).toEqual([['cluster'], ['deployment'], ['set'], ['machine']]);
  });

  it('do not count owners that are not among the objects', () => {
    expect(namesOf(ownerLevels([object('a', 'elsewhere'), object('b')]))).toEqual([['a', 'b']]);
  });

  it('refuse a circle, and name its members', () => {
    const objects = [object('a', 'c'), object('b', 'a'), object('c', 'b')];
    expect(() => ownerLevels(objects)).toThrow(
      'owner references form a circle: Thing n/a -> Thing n/c -> Thing n/b -> Thing n/a',
    );
  });
});

describe('Remapped references', () => {
  const [reference] = object('x', 'old').metadata.ownerReferences ?? [];
  const next = { apiVersion: 'w/v2', kind: 'Other', name: 'new', uid: 'uid-new' };

  it('keep every field that does not name the owner', () => {
    const before = [{ ...reference, controller: true, blockOwnerDeletion: true } as typeof reference & object];
    expect(remapOwnerReferences(before, new Map([['uid-old', next]]))).toEqual([
      { ...next, controller: true, blockOwnerDeletion: true },
    ]);
  });

  it('are the very same list when no owner is replaced', () => {
    const before = object('x', 'old').metadata.ownerReferences;
    expect(remapOwnerReferences(before, new Map([['uid-other', next]]))).toBe(before);
    expect(remapOwnerReferences(undefined, new Map([['uid-old', next]]))).toBe(undefined);
  });
});
