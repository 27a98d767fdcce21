import { describe, expect, it } from 'vitest';
import type { ApiRequest, ApiResponse } from '@capstan/meta';
import { ManualClock } from '../testing/manual-clock.js';
import { failed, json, ScriptedTransport } from '../testing/scripted-transport.js';
import { Client } from './client.js';
import { Discovery } from './discovery.js';

function make(answer: (request: ApiRequest, url: URL) => ApiResponse | undefined) {
  const transport = new ScriptedTransport(answer);
  const clock = new ManualClock();
  return { transport, clock, discovery: new Discovery(new Client(transport, { clock }), { clock }) };
}

function resource(plural: string, kind: string, scope = 'Namespaced'): unknown {
  return {
    resource: plural,
    responseKind: { group: '', version: '', kind },
    scope,
    singularResource: kind.toLowerCase(),
    verbs: ['get', 'list'],
    shortNames: ['x'],
    subresources: [
      { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get'] },
    ],
  };
}

function aggregated(...items: unknown[]): unknown {
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}

const core = aggregated({
  versions: [{ version: 'v1', resources: [resource('pods', 'Pod'), resource('nodes', 'Node', 'Cluster')] }],
});

describe('Discovery', () => {
  it('reads the aggregated form: order, preference, scope, subresources, stale groups', async () => {
    const groups = aggregated(
      {
        metadata: { name: 'apps' },
        versions: [
          { version: 'v2', freshness: 'Current', resources: [resource('deployments', 'Deployment')] },
          { version: 'v1', resources: [resource('deployments', 'Deployment'), resource('old', 'Old')] },
        ],
      },
      {
        metadata: { name: 'broken.io' },
        versions: [{ version: 'v1', freshness: 'Stale', resources: [resource('b', 'B')] }],
      },
    );
    const { discovery, transport } = make((_request, url) => json(url.pathname === '/api' ? core : groups));
    const snapshot = await discovery.refresh();
    const names = snapshot.resources.map(({ group, version, plural }) => `${group}/${version}/${plural}`);
    expect(names).toEqual(['/v1/pods', '/v1/nodes', 'apps/v2/deployments', 'apps/v1/deployments', 'apps/v1/old']);
    expect(snapshot.preferred.map(({ version, plural }) => `${version}/${plural}`)).toEqual([
      'v1/pods',
      'v1/nodes',
      'v2/deployments',
      'v1/old',
    ]);
    expect(snapshot.resources.map(({ namespaced }) => namespaced)).toEqual([true, false, true, true, true]);
    expect(snapshot.resources[0]).toEqual({
      group: '',
      version: 'v1',
      plural: 'pods',
      namespaced: true,
      kind: 'Pod',
      singular: 'pod',
      shortNames: ['x'],
      categories: [],
      verbs: ['get', 'list'],
      subresources: [{ name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get'] }],
    });
    expect(snapshot.failures).toEqual([
      { group: 'broken.io', version: 'v1', message: 'stale GroupVersion discovery: broken.io/v1' },
    ]);
    expect(transport.requests[0]?.headers['accept']).toBe(
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json',
    );
  });

  it('falls back to the legacy documents and reports groups that fail', async () => {
    const { discovery } = make((_request, url) => {
      switch (url.pathname) {
        case '/api':
          return json({ kind: 'APIVersions', versions: ['v1'] });
        case '/apis':
          return json({
            kind: 'APIGroupList',
            groups: [
              {
                name: 'apps',
                preferredVersion: { groupVersion: 'apps/v1' },
                versions: [{ groupVersion: 'apps/v2alpha1' }, { groupVersion: 'apps/v1' }],
              },
              { name: 'x.io', versions: [{ groupVersion: 'x.io/v1' }] },
            ],
          });
        case '/apis/x.io/v1':
          return failed(503, 'ServiceUnavailable');
        default:
          return json({
            kind: 'APIResourceList',
            resources: [
              { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['list'] },
              { name: 'things/status', kind: 'Thing', verbs: ['patch'] },
            ],
          });
      }
    });
    const { resources, failures, preferred } = await discovery.refresh();
    expect(resources.map(({ group, version }) => `${group}/${version}`)).toEqual(['/v1', 'apps/v1', 'apps/v2alpha1']);
    expect(preferred.map(({ group, version }) => `${group}/${version}`)).toEqual(['/v1', 'apps/v1']);
    expect(resources[1]?.subresources).toEqual([
      { name: 'status', group: 'apps', version: 'v1', kind: 'Thing', verbs: ['patch'] },
    ]);
    expect(failures).toEqual([{ group: 'x.io', version: 'v1', message: 'ServiceUnavailable (503)' }]);
  });

  it('returns the same snapshot when the server answers that nothing changed', async () => {
    const { discovery, transport } = make((request, url) => {
      if (request.headers['if-none-match'] === '"1"') return { status: 304, headers: {}, body: { type: 'empty' } };
      return json(url.pathname === '/api' ? core : aggregated(), 200, { etag: '"1"' });
    });
    const first = await discovery.refresh();
    expect(await discovery.refresh()).toBe(first);
    expect(transport.requests).toHaveLength(4);
  });

  it.each(['/api', '/apis'])('sees a new kind although %s could not be read when it came', async (broken) => {
    let etag = '"1"';
    let isBroken = false;
    const { discovery } = make((request, url) => {
      if (isBroken && url.pathname === broken) return failed(504, 'Timeout');
      if (request.headers['if-none-match'] === etag) return { status: 304, headers: {}, body: { type: 'empty' } };
      const name = `${etag === '"1"' ? 'old' : 'new'}.io`;
      const versions = [{ version: 'v1', resources: [resource('things', 'Thing')] }];
      return json(url.pathname === '/api' ? core : aggregated({ metadata: { name }, versions }), 200, { etag });
    });
    await discovery.refresh();
    etag = '"2"';
    isBroken = true;
    await expect(discovery.refresh()).rejects.toThrow('Timeout');
    isBroken = false;
    const { resources } = await discovery.refresh();
    expect(resources.map(({ group, plural }) => `${group}/${plural}`)).toEqual(['/pods', '/nodes', 'new.io/things']);
  });

  it('finds the resource of a kind, in the version asked for when served, and asks again about an unknown kind', async () => {
    let groups = aggregated();
    const { discovery, clock, transport } = make((_request, url) => json(url.pathname === '/api' ? core : groups));
    expect(await discovery.resourceFor({ group: '', version: 'v9', kind: 'Pod' })).toMatchObject({
      version: 'v1',
      plural: 'pods',
    });
    const widget = { group: 'example.com', kind: 'Widget' };
    expect(await discovery.resourceFor(widget)).toBeUndefined();
    const versions = ['v2', 'v1'].map((version) => ({ version, resources: [resource('widgets', 'Widget')] }));
    groups = aggregated({ metadata: { name: 'example.com' }, versions });
    const asked = transport.requests.length;
    expect(await discovery.resourceFor(widget)).toBeUndefined();
    expect(transport.requests).toHaveLength(asked);
    await clock.advance(10_000);
    expect(await discovery.resourceFor({ ...widget, version: 'v1' })).toMatchObject({ version: 'v1' });
    expect(await discovery.resourceFor({ ...widget, version: 'v0' })).toMatchObject({ version: 'v2' });
  });

  it('lives without a core group', async () => {
    const { discovery } = make((_request, url) =>
      url.pathname === '/api' ? failed(404, 'NotFound') : json(aggregated()),
    );
    expect(await discovery.refresh()).toEqual({ resources: [], preferred: [], failures: [] });
  });
});
