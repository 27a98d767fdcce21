import { describe, expect, it } from 'vitest';
import {
  compareVersionPriority,
  formatApiVersion,
  formatGroupKind,
  formatGroupResource,
  formatGvk,
  formatGvr,
  GroupVersionError,
  gvkOf,
  looseGvk,
  parseApiVersion,
  parseGroupKind,
  parseGroupResource,
  sameGroupKind,
} from './gvk.js';

describe('apiVersion', () => {
  it.each([
    ['v1', '', 'v1'],
    ['apps/v1', 'apps', 'v1'],
    ['', '', ''],
    ['/', '', ''],
    ['/v1', '', 'v1'],
    ['apps/', 'apps', ''],
  ])('%j is group %j and version %j', (apiVersion, group, version) => {
    expect(parseApiVersion(apiVersion)).toEqual({ group, version });
  });

  it('with two slashes is refused in the words of the server', () => {
    expect(() => parseApiVersion('a/b/c')).toThrow(new GroupVersionError('a/b/c'));
    expect(() => gvkOf({ apiVersion: 'a/b/c', kind: 'X' })).toThrow('unexpected GroupVersion string: a/b/c');
  });

  it('with two slashes counts as empty where the server does not care', () => {
    expect(looseGvk('a/b/c', 'X')).toEqual({ group: '', version: '', kind: 'X' });
    expect(looseGvk('a/b', 'X')).toEqual({ group: 'a', version: 'b', kind: 'X' });
  });

  it('is written without a slash for the core group', () => {
    expect(formatApiVersion({ group: '', version: 'v1' })).toBe('v1');
    expect(formatApiVersion({ group: 'apps', version: 'v1' })).toBe('apps/v1');
  });
});

describe('names of kinds and resources', () => {
  it('are qualified by their group', () => {
    expect(formatGroupKind({ group: 'example.com', kind: 'Widget' })).toBe('Widget.example.com');
    expect(formatGroupKind({ group: '', kind: 'Pod' })).toBe('Pod');
    expect(formatGroupResource({ group: 'example.com', resource: 'widgets' })).toBe('widgets.example.com');
    expect(formatGroupResource({ group: '', resource: 'pods' })).toBe('pods');
    expect(formatGvk({ group: '', version: 'v1', kind: 'Event' })).toBe('/v1, Kind=Event');
    expect(formatGvr({ group: 'apps', version: 'v1', resource: 'deployments' })).toBe('apps/v1, Resource=deployments');
  });

  it('are read back', () => {
    expect(parseGroupResource('widgets.example.com')).toEqual({ group: 'example.com', resource: 'widgets' });
    expect(parseGroupResource('pods')).toEqual({ group: '', resource: 'pods' });
    expect(parseGroupKind('Widget.example.com')).toEqual({ group: 'example.com', kind: 'Widget' });
  });

  it('are compared without their versions', () => {
    const a = { group: 'g', version: 'v1', kind: 'K' };
    expect(sameGroupKind(a, { ...a, version: 'v2' } as typeof a)).toBe(true);
    expect(sameGroupKind(a, { ...a, group: 'h' })).toBe(false);
    expect(sameGroupKind(a, { ...a, kind: 'L' })).toBe(false);
  });
});

describe('version priority', () => {
  it('puts stable before beta before alpha, higher numbers first, other names last in lexical order', () => {
    const sorted = [
      'v10',
      'v2',
      'v1',
      'v11beta2',
      'v10beta3',
      'v3beta1',
      'v12alpha1',
      'v11alpha2',
      'foo1',
      'foo10',
      'v1gamma1',
    ];
    expect(sorted.toReversed().sort(compareVersionPriority)).toEqual(sorted);
    expect(['v1', 'v99999999999999999999'].sort(compareVersionPriority)).toEqual(['v1', 'v99999999999999999999']);
    expect(compareVersionPriority('v1', 'v1')).toBe(0);
  });
});
