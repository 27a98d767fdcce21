import { describe, expect, it } from 'vitest';
import type { OwnerReference } from '@capstan/meta';
import { AbsentOwners } from './absent-owners.js';
import { DependencyGraph } from './graph.js';
import type { Observation } from './graph.js';
import type { Identity } from './identity.js';
import { alternateIdentity, GraphNode } from './node.js';

function identity(name: string, more: Partial<Identity> = {}): Identity {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name, uid: `uid-${name}`, ...more };
}

function owner(name: string, more: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: `uid-${name}`, ...more };
}

function seen(name: string, more: Partial<Observation> = {}): Observation {
  return { identity: identity(name), owners: [], beingDeleted: false, foreground: false, orphan: false, ...more };
}

/** The graph, and the work it asked for since last looked at: `examine a`, `later a`, `orphan a`, `namespace a`. */
function make(): { graph: DependencyGraph; work: () => string[] } {
  const log: string[] = [];
  const note = (what: string) => (node: GraphNode) =>
    void log.push(`${what} ${node.identity.name}${node.virtual ? ' (virtual)' : ''}`);
  const graph = new DependencyGraph({
    examine: note('examine'),
    examineLater: note('later'),
    orphan: note('orphan'),
    invalidNamespace: note('namespace'),
  });
  return { graph, work: () => log.splice(0) };
}

describe('DependencyGraph', () => {
  it('asks nothing about objects whose owners are known', () => {
    const { graph, work } = make();
    graph.observe(seen('a'));
    graph.observe(seen('b', { owners: [owner('a')] }));
    graph.observe(seen('b', { owners: [owner('a')] }));
    expect(work()).toEqual([]);
    expect([...(graph.get('uid-a')?.dependents ?? [])].map((node) => node.identity.name)).toEqual(['b']);
  });

  it('puts a virtual node for an owner not seen yet, looks it up, and makes it real when it appears', () => {
    const { graph, work } = make();
    graph.observe(seen('b', { owners: [owner('a')] }));
    expect(work()).toEqual(['examine a (virtual)']);
    graph.observe(seen('a'));
    expect(graph.get('uid-a')?.virtual).toBe(false);
    expect(work()).toEqual([]);
  });

  it('looks at the dependents when an owner goes, and remembers that it is gone', () => {
    const { graph, work } = make();
    graph.observe(seen('a'));
    graph.observe(seen('b', { owners: [owner('a')] }));
    graph.remove(identity('a'));
    expect(work()).toEqual(['examine b']);
    expect(graph.absent.has(identity('a'))).toBe(true);
    expect(graph.get('uid-a')).toBeUndefined();
  });

  it('looks at an owner waiting for its dependents when the last of them goes or lets go', () => {
    const { graph, work } = make();
    const waiting = { beingDeleted: true, foreground: true };
    const blocking = owner('a', { blockOwnerDeletion: true });
    graph.observe(seen('a'));
    for (const name of ['b', 'c', 'd']) graph.observe(seen(name, { owners: [blocking] }));
    graph.observe(seen('a', waiting));
    expect(work()).toEqual(['examine b', 'examine c', 'examine d', 'examine a']);
    graph.observe(seen('a', waiting));
    expect(work()).toEqual([]);
    graph.remove(identity('b'));
    expect(work()).toEqual(['examine a']);
    graph.observe(seen('c', { owners: [] }));
    expect(work()).toEqual(['examine a']);
    graph.observe(seen('d', { owners: [owner('a', { blockOwnerDeletion: false })] }));
    expect(work()).toEqual(['examine a']);
    expect(graph.get('uid-a')?.blockingDependents()).toEqual([]);
  });

  it('starts orphaning once', () => {
    const { graph, work } = make();
    graph.observe(seen('a'));
    graph.observe(seen('a', { beingDeleted: true, orphan: true }));
    graph.observe(seen('a', { beingDeleted: true, orphan: true }));
    expect(work()).toEqual(['orphan a']);
  });

  it('sees an object first when it is already being deleted', () => {
    const { graph, work } = make();
    graph.observe(seen('b', { owners: [owner('a')] }));
    work();
    graph.observe(seen('a', { beingDeleted: true, foreground: true }));
    expect(work()).toEqual(['examine b', 'examine a']);
  });

  it('reports and examines a dependent in another namespace than its owner, whichever is seen first', () => {
    const { graph, work } = make();
    graph.observe(seen('a'));
    graph.observe({ ...seen('b', { owners: [owner('a')] }), identity: identity('b', { namespace: 'other' }) });
    expect(work()).toEqual(['namespace b', 'examine b']);
    graph.observe({ ...seen('d', { owners: [owner('c')] }), identity: identity('d', { namespace: '' }) });
    expect(work()).toEqual(['examine c (virtual)']);
    graph.observe(seen('c'));
    expect(work()).toEqual(['namespace d', 'examine d']);
  });

  it('examines a dependent that names its owner by other coordinates', () => {
    const { graph, work } = make();
    graph.observe(seen('a'));
    graph.observe(seen('b', { owners: [owner('a', { name: 'wrong' })] }));
    expect(work()).toEqual(['examine b']);
    graph.observe(seen('c', { owners: [owner('a')] }));
    expect(work()).toEqual([]);
    graph.observe(seen('c', { owners: [owner('a', { kind: 'Secret' })] }));
    expect(work()).toEqual(['examine c']);
  });

  it('drops a virtual owner the server does not have, and examines its dependents', () => {
    const { graph, work } = make();
    graph.observe(seen('b', { owners: [owner('a')] }));
    work();
    graph.confirmAbsent(identity('a'));
    expect(work()).toEqual(['examine b']);
    expect([graph.get('uid-a'), graph.absent.has(identity('a'))]).toEqual([undefined, true]);
  });

  it('tries every name under which a virtual owner is known before it gives it up', () => {
    const { graph, work } = make();
    graph.observe(seen('b', { owners: [owner('a', { kind: 'A' })] }));
    graph.observe(seen('c', { owners: [owner('a', { kind: 'B' })] }));
    work();
    graph.confirmAbsent(identity('a', { kind: 'A' }));
    expect(work()).toEqual(['examine b', 'later a (virtual)']);
    expect(graph.get('uid-a')?.identity.kind).toBe('B');
    graph.observe(seen('b', { owners: [] }));
    graph.confirmAbsent(identity('a', { kind: 'B' }));
    expect(work()).toEqual(['examine c']);
    expect(graph.get('uid-a')).toBeUndefined();
  });

  it('does not take a wrong reference for the absence of an owner it has seen', () => {
    const { graph, work } = make();
    graph.observe(seen('a'));
    graph.observe(seen('good', { owners: [owner('a')] }));
    graph.observe(seen('bad', { owners: [owner('a', { name: 'wrong' })] }));
    work();
    graph.confirmAbsent(identity('wrong', { uid: 'uid-a' }));
    expect(work()).toEqual(['examine bad']);
    expect(graph.get('uid-a')?.virtual).toBe(false);
    graph.confirmAbsent(identity('a'));
    expect(work()).toEqual(['examine good', 'examine bad']);
  });
});

describe('alternateIdentity', () => {
  it('goes round all coordinates in order, without namespace where the kind is known to have none', () => {
    const node = (name: string, kind: string): GraphNode => {
      const dependent = new GraphNode(identity(name), false);
      dependent.owners = [owner('a', { kind })];
      return dependent;
    };
    const nodes = [node('1', 'C'), node('2', 'A'), node('3', 'B')];
    expect(alternateIdentity(nodes, identity('a', { kind: 'A' }))?.kind).toBe('B');
    expect(alternateIdentity(nodes, identity('a', { kind: 'C' }))?.kind).toBe('A');
    expect(alternateIdentity([node('1', 'A')], identity('a', { kind: 'A', namespace: '' }))).toBeUndefined();
    expect(alternateIdentity([node('1', 'A')], identity('a', { kind: 'A' }))).toBeUndefined();
  });
});

describe('AbsentOwners', () => {
  it('forgets the one not asked for the longest', () => {
    const absent = new AbsentOwners(2);
    absent.add(identity('a'));
    absent.add(identity('b'));
    expect(absent.has(identity('a'))).toBe(true);
    absent.add(identity('c'));
    expect(['a', 'b', 'c'].map((name) => absent.has(identity(name)))).toEqual([true, false, true]);
  });
});
