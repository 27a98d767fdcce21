import { describe, expect, it } from 'vitest';
import { clusterKeyOf, clusterOf, nodePoolOf } from './owner.js';
import { isInScope } from './scope.js';

function annotated(annotations: Readonly<Record<string, string>>): Parameters<typeof clusterOf>[0] {
  return { metadata: { name: 'a', annotations } };
}

describe('an operator reconciles a HostedCluster', () => {
  const SCOPE = 'hypershift.openshift.io/scope';
  it.each<[string, Readonly<Record<string, string>>, string | undefined, boolean]>([
    ['of any scope when it has none', { [SCOPE]: 'a' }, undefined, true],
    ['of its scope', { [SCOPE]: 'a' }, 'a', true],
    ['of no other scope', { [SCOPE]: 'a' }, 'b', false],
    ['without a scope when its own is empty', {}, '', true],
    ['without a scope only then', {}, 'a', false],
  ])('%s', (...[, annotations, scope, expected]) => {
    expect(isInScope(annotated(annotations), scope)).toBe(expected);
  });
});

describe('the owner of an object', () => {
  it.each<[string | undefined, object | undefined]>([
    ['clusters/example', { namespace: 'clusters', name: 'example' }],
    ['example', undefined],
    ['clusters/', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('is read from the annotation %j', (key, expected) => {
    const of = (name: string) => annotated(key === undefined ? {} : { [name]: key });
    expect(clusterOf(of('hypershift.openshift.io/cluster'))).toEqual(expected);
    expect(clusterKeyOf(of('hypershift.openshift.io/cluster'))).toBe(key);
    expect(nodePoolOf(of('hypershift.openshift.io/nodePool'))).toEqual(expected);
  });
});
