import { describe, expect, it } from 'vitest';
import { builtinResources } from './index.js';
import { resourceTable } from './table.js';

const verbOrder = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

describe('the built-in resources', () => {
  it('are listed once each, in order of name inside their group-version', () => {
    const byGroupVersion = new Map<string, string[]>();
    for (const { group, version, plural } of builtinResources) {
      const key = `${group}/${version}`;
      byGroupVersion.set(key, [...(byGroupVersion.get(key) ?? []), plural]);
    }
    expect(byGroupVersion.size).toBe(20);
    for (const [key, plurals] of byGroupVersion) expect([key, plurals]).toEqual([key, [...new Set(plurals)].sort()]);
  });

  it('name their verbs in the order of the real server', () => {
    for (const { plural, verbs, subresources } of builtinResources) {
      for (const list of [verbs, ...subresources.map((subresource) => subresource.verbs)]) {
        expect([plural, list]).toEqual([plural, verbOrder.filter((verb) => list.includes(verb))]);
        expect(list.length).toBeGreaterThan(0);
      }
    }
  });

  it('have a list kind exactly where they can be listed', () => {
    for (const { kind, listKind, verbs } of builtinResources)
      expect(listKind).toBe(verbs.includes('list') ? `${kind}List` : undefined);
  });

  it('give no short name to two resources of different name', () => {
    const owner = new Map<string, string>();
    for (const { plural, shortNames } of builtinResources) {
      for (const shortName of shortNames) {
        expect([shortName, owner.get(shortName) ?? plural]).toEqual([shortName, plural]);
        owner.set(shortName, plural);
      }
    }
    expect(owner.size).toBe(29);
  });

  it('know the subresources of a pod', () => {
    const pod = builtinResources.find(({ kind }) => kind === 'Pod');
    expect(
      pod?.subresources.map(({ name, group, version, kind, verbs }) => [name, group, version, kind, verbs.join()]),
    ).toEqual([
      ['attach', undefined, undefined, 'PodAttachOptions', 'create,get'],
      ['binding', undefined, undefined, 'Binding', 'create'],
      ['ephemeralcontainers', undefined, undefined, 'Pod', 'get,patch,update'],
      ['eviction', 'policy', 'v1', 'Eviction', 'create'],
      ['exec', undefined, undefined, 'PodExecOptions', 'create,get'],
      ['log', undefined, undefined, 'Pod', 'get'],
      ['portforward', undefined, undefined, 'PodPortForwardOptions', 'create,get'],
      ['proxy', undefined, undefined, 'PodProxyOptions', 'create,delete,get,patch,update'],
      ['resize', undefined, undefined, 'Pod', 'get,patch,update'],
      ['status', undefined, undefined, 'Pod', 'get,patch,update'],
    ]);
  });

  it('cannot delete all namespaces at once', () => {
    const namespace = builtinResources.find(({ kind }) => kind === 'Namespace');
    expect(namespace?.verbs).toEqual(verbOrder.filter((verb) => verb !== 'deletecollection'));
  });
});

describe('resourceTable', () => {
  it('reads every column of a line', () => {
    const [, resource] = resourceTable(`
      /v2:
      others Other cluster create
      x.io/v1:
      things Thing ns get,list th,tg all,mine status:rw token:create:Token.v1.auth.k8s.io
    `);
    expect(resource).toEqual({
      group: 'x.io',
      version: 'v1',
      kind: 'Thing',
      listKind: 'ThingList',
      plural: 'things',
      singular: 'thing',
      shortNames: ['th', 'tg'],
      categories: ['all', 'mine'],
      namespaced: true,
      verbs: ['get', 'list'],
      subresources: [
        { name: 'status', kind: 'Thing', verbs: ['get', 'patch', 'update'] },
        { name: 'token', group: 'auth.k8s.io', version: 'v1', kind: 'Token', verbs: ['create'] },
      ],
    });
  });
});
