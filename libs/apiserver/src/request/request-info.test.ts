import { describe, expect, it } from 'vitest';
import { MalformedTarget, parseTarget } from './request-info.js';

interface Case {
  readonly method: string;
  readonly target: string;
  readonly expected: Record<string, unknown>;
}

const resource = { isResource: true, group: '', version: 'v1', namespace: '', name: '', subresource: '' };

const CASES: readonly Case[] = [
  { method: 'GET', target: '/api/v1/pods', expected: { ...resource, verb: 'list', resource: 'pods' } },
  { method: 'GET', target: '/api/v1/pods?watch=true', expected: { verb: 'watch' } },
  { method: 'GET', target: '/api/v1/pods?watch', expected: { verb: 'watch' } },
  { method: 'GET', target: '/api/v1/pods?watch=0', expected: { verb: 'list' } },
  {
    method: 'GET',
    target: '/api/v1/watch/namespaces/n/pods',
    expected: { verb: 'watch', namespace: 'n', resource: 'pods' },
  },
  {
    method: 'GET',
    target: '/api/v1/namespaces/n',
    expected: { verb: 'get', resource: 'namespaces', name: 'n', namespace: 'n' },
  },
  {
    method: 'PUT',
    target: '/api/v1/namespaces/n/finalize',
    expected: { verb: 'update', resource: 'namespaces', name: 'n', subresource: 'finalize' },
  },
  {
    method: 'PATCH',
    target: '/api/v1/namespaces/n/status',
    expected: { verb: 'patch', resource: 'namespaces', subresource: 'status' },
  },
  {
    method: 'DELETE',
    target: '/apis/apps/v1/namespaces/n/deployments',
    expected: { verb: 'deletecollection', group: 'apps', resource: 'deployments' },
  },
  { method: 'DELETE', target: '/apis/apps/v1/namespaces/n/deployments/d', expected: { verb: 'delete', name: 'd' } },
  {
    method: 'GET',
    target: '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode',
    expected: { verb: 'get', name: 'system:node' },
  },
  {
    method: 'GET',
    target: '/api/v1/namespaces/n/pods/p/proxy/a/b',
    expected: { subresource: 'proxy', rest: ['a', 'b'] },
  },
  ...[
    ['metadata.name=x', 'x'],
    ['metadata.name==x', 'x'],
    ['spec.nodeName=n,metadata.name=x', 'x'],
    ['metadata.name=b,metadata.name=a', 'a'],
    ['metadata.name!=x', ''],
    ['metadata.name=', ''],
    ['metadata.name=a/b', ''],
    ['metadata.name=..', ''],
    ['metadata.name=%25', ''],
    ['metadata.name', ''],
    ['metadata.name=x&limit=many', ''],
    ['metadata.name=x&labelSelector=a%20b', ''],
  ].flatMap(([selector = '', name = '']) =>
    (['list', 'watch'] as const).map((verb) => ({
      method: 'GET',
      target: `/api/v1/secrets?watch=${verb === 'watch'}&fieldSelector=${selector}`,
      expected: { verb, name, fieldSelector: decodeURIComponent(selector.split('&')[0] ?? '') },
    })),
  ),
  {
    method: 'DELETE',
    target: '/api/v1/namespaces/n/secrets?fieldSelector=metadata.name=x',
    expected: { verb: 'deletecollection', name: '', fieldSelector: 'metadata.name=x' },
  },
  {
    method: 'GET',
    target: '/api/v1/watch/namespaces/n/secrets?fieldSelector=metadata.name=x',
    expected: { verb: 'watch', name: '', fieldSelector: '' },
  },
  {
    method: 'GET',
    target: '/api/v1/namespaces/n/secrets/x?watch=true&fieldSelector=metadata.name=y',
    expected: { verb: 'get', name: 'x', fieldSelector: '' },
  },
  { method: 'GET', target: '/apis/apps', expected: { isResource: false, verb: 'get', path: '/apis/apps' } },
  { method: 'GET', target: '/api/v1/', expected: { isResource: false, path: '/api/v1' } },
  { method: 'GET', target: '/healthz/etcd?verbose', expected: { isResource: false, path: '/healthz/etcd' } },
];

describe('a request target', () => {
  it.each(CASES)('$method $target is understood', ({ method, target, expected }) => {
    expect(parseTarget(method, target)).toMatchObject(expected);
  });

  it('keeps an encoded slash inside its segment', () => {
    expect(parseTarget('GET', '/apis/g/v1/things/a%2Fb')).toMatchObject({ name: 'a', subresource: 'b' });
  });

  it('is refused when it cannot be decoded', () => {
    expect(() => parseTarget('GET', '/api/v1/namespaces/%zz/pods')).toThrow(MalformedTarget);
  });
});
