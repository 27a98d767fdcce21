import { builtinResources } from '@capstan/api/kubernetes';
import { describe, expect, it } from 'vitest';
import { gizmo } from './gizmo.table.js';
import { DiscoveryIndex } from './index.js';

const v2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const v2beta1 = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

const index = new DiscoveryIndex(builtinResources);

describe('an answer', () => {
  it('in aggregated form names its form, its tag and what it varies by', () => {
    const response = index.respond('/apis', { accept: `${v2},${v2beta1},application/json` });
    expect(response?.status).toBe(200);
    expect(response?.headers).toEqual({
      'content-type': v2,
      etag: expect.stringMatching(/^"[0-9A-F]{128}"$/),
      vary: 'Accept',
      'cache-control': 'public',
    });
    expect(JSON.parse(new TextDecoder().decode(response?.bytes()))).toEqual(response?.value);
  });

  it('has one tag for every form, and is empty for a client that knows it', () => {
    const etag = index.respond('/apis', { accept: v2 })?.headers['etag'];
    expect(index.respond('/apis', { accept: v2beta1 })?.headers['etag']).toBe(etag);
    expect(index.respond('/api', { accept: v2 })?.headers['etag']).not.toBe(etag);
    const response = index.respond('/apis', { accept: v2, 'if-none-match': etag });
    expect(response).toMatchObject({
      status: 304,
      headers: { etag, vary: 'Accept', 'cache-control': 'public' },
      value: undefined,
    });
    expect(response?.bytes()).toHaveLength(0);
    expect(index.respond('/apis', { accept: v2, 'if-none-match': '"other"' })?.status).toBe(200);
  });

  it('is encoded once', () => {
    expect(index.respond('/apis', { accept: v2 })?.bytes()).toBe(index.respond('/apis', { accept: v2 })?.bytes());
  });

  it.each([
    ['/api', 'APIVersions'],
    ['/api/', 'APIVersions'],
    ['/apis?timeout=32s', 'APIGroupList'],
    ['/apis/apps', 'APIGroup'],
    ['/apis/apps/', 'APIGroup'],
    ['/api/v1', 'APIResourceList'],
    ['/apis/apps/v1?timeout=32s', 'APIResourceList'],
  ])('to %s is an %s', (path, kind) => {
    expect(index.respond(path, {})).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json' },
      value: { kind },
    });
  });

  it('answers YAML requests with the YAML content type', () => {
    expect(index.respond('/apis/apps', { accept: 'application/yaml' })).toMatchObject({
      status: 200,
      mediaType: 'application/yaml',
      headers: { 'content-type': 'application/yaml' },
    });
    const aggregated = index.respond('/apis', {
      accept: 'application/yaml;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    });
    expect(aggregated?.headers['content-type']).toBe(
      'application/yaml;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    );
  });

  it.each(['/apis', '/apis/apps', '/apis/apps/v1'])('to %s is 406 where nothing fits', (path) => {
    expect(index.respond(path, { accept: 'text/html' })).toMatchObject({
      status: 406,
      value: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message:
          'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
        reason: 'NotAcceptable',
        code: 406,
      },
    });
  });

  it.each(['/apis/apps/v2', '/api/v2'])('to %s is a Status, as the group is built in', (path) => {
    expect(index.respond(path, {})?.value).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'the server could not find the requested resource',
      reason: 'NotFound',
      details: {},
      code: 404,
    });
  });

  it.each([
    '/',
    '/version',
    '/apis/nope',
    '/apis/nope/v1',
    '/apis/apps/v1/deployments',
    '/api/v1/pods',
    '/apis//v1',
    '/healthz/apis',
  ])('to %s is none of discovery', (path) => {
    expect(index.respond(path, {})).toBeUndefined();
  });

  it('to an unserved version of a custom group is none of discovery', () => {
    expect(new DiscoveryIndex([gizmo('v1')]).respond('/apis/x.example.com/v2', {})).toBeUndefined();
  });

  it('shows new resources at once, and old ones no more', () => {
    const changing = new DiscoveryIndex(builtinResources);
    const before = changing.respond('/apis', { accept: v2 })?.headers['etag'];
    expect(changing.respond('/apis/x.example.com', {})).toBeUndefined();
    changing.setResources([...builtinResources, gizmo('v1')]);
    expect(changing.respond('/apis/x.example.com/v1', {})?.status).toBe(200);
    expect(changing.resource('x.example.com', 'v1', 'gizmos')?.kind).toBe('Gizmo');
    expect(changing.respond('/apis', { accept: v2 })?.headers['etag']).not.toBe(before);
    changing.setResources(builtinResources);
    expect(changing.respond('/apis/x.example.com/v1', {})).toBeUndefined();
    expect(changing.resource('x.example.com', 'v1', 'gizmos')).toBeUndefined();
    expect(changing.respond('/apis', { accept: v2 })?.headers['etag']).toBe(before);
  });

  it('cannot be changed by those who receive it', () => {
    expect(Object.isFrozen(index.apiGroupList())).toBe(true);
  });
});
