import { builtinResources } from '@capstan/api/kubernetes';
import { describe, expect, it } from 'vitest';
import { DiscoveryIndex, storageVersionHash } from './index.js';
import { gizmo } from './gizmo.table.js';

const index = new DiscoveryIndex(builtinResources, { serverAddress: '10.0.0.1:6443' });

describe('the order of groups', () => {
  it('is that of the real server', () => {
    expect(
      new DiscoveryIndex([gizmo('v1', 'b.io'), gizmo('v1', 'a.io'), ...builtinResources])
        .groups()
        .map(({ group }) => group),
    ).toEqual([
      'apiregistration.k8s.io',
      '',
      'apps',
      'events.k8s.io',
      'authentication.k8s.io',
      'authorization.k8s.io',
      'autoscaling',
      'batch',
      'certificates.k8s.io',
      'networking.k8s.io',
      'policy',
      'rbac.authorization.k8s.io',
      'storage.k8s.io',
      'admissionregistration.k8s.io',
      'apiextensions.k8s.io',
      'scheduling.k8s.io',
      'coordination.k8s.io',
      'node.k8s.io',
      'discovery.k8s.io',
      'a.io',
      'b.io',
    ]);
  });

  it('inside a group puts stable versions first and the highest number first', () => {
    const versions = ['v1alpha1', 'v1', 'foo', 'v2beta1', 'v10', 'v2', 'v1beta2'];
    const custom = new DiscoveryIndex(versions.map((version) => gizmo(version)));
    expect(custom.groups()[0]?.versions.map(({ version }) => version)).toEqual([
      'v10',
      'v2',
      'v1',
      'v2beta1',
      'v1beta2',
      'v1alpha1',
      'foo',
    ]);
  });

  it('prefers autoscaling v2 to v1', () => {
    expect(index.apiGroup('autoscaling')).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'autoscaling',
      versions: [
        { groupVersion: 'autoscaling/v2', version: 'v2' },
        { groupVersion: 'autoscaling/v1', version: 'v1' },
      ],
      preferredVersion: { groupVersion: 'autoscaling/v2', version: 'v2' },
    });
  });
});

describe('unaggregated documents', () => {
  it('of the core group name the address of the server', () => {
    expect(index.apiVersions()).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '10.0.0.1:6443' }],
    });
  });

  it('list subresources after their parents, with the kind of their bodies', () => {
    const { resources, ...rest } = index.apiResourceList('apps', 'v1') as { resources: { name: string }[] };
    expect(rest).toEqual({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'apps/v1' });
    expect(resources.filter(({ name }) => name.startsWith('deployments'))).toEqual([
      {
        name: 'deployments',
        singularName: 'deployment',
        namespaced: true,
        kind: 'Deployment',
        verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
        shortNames: ['deploy'],
        categories: ['all'],
        storageVersionHash: '8aSe+NMegvE=',
      },
      {
        name: 'deployments/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: ['get', 'patch', 'update'],
      },
      {
        name: 'deployments/status',
        singularName: '',
        namespaced: true,
        kind: 'Deployment',
        verbs: ['get', 'patch', 'update'],
      },
    ]);
  });

  it('of the core group come without an apiVersion', () => {
    expect(index.apiResourceList('', 'v1')).not.toHaveProperty('apiVersion');
  });

  it.each([
    ['', 'v1', 'configmaps', 'qFsyl6wFWjQ='],
    ['', 'v1', 'pods', 'xPOwRZ+Yhw8='],
    ['apiextensions.k8s.io', 'v1', 'customresourcedefinitions', 'jfWCUB31mvA='],
    ['', 'v1', 'bindings', undefined],
    ['', 'v1', 'componentstatuses', undefined],
  ])('hash the storage version of %s/%s %s as the real server does', (group, version, plural, hash) => {
    const { resources } = index.apiResourceList(group, version) as {
      resources: { name: string; storageVersionHash?: string }[];
    };
    expect(resources.find(({ name }) => name === plural)?.storageVersionHash).toBe(hash);
  });

  it('hash the storage version that the server publishes', () => {
    const custom = new DiscoveryIndex([gizmo('v1beta1')], { storageVersion: () => ['x.example.com', 'v1'] });
    const { resources } = custom.apiResourceList('x.example.com', 'v1beta1') as {
      resources: { storageVersionHash?: string }[];
    };
    expect(resources[0]?.storageVersionHash).toBe(storageVersionHash('x.example.com', 'v1', 'Gizmo'));
  });

  it('are absent for what nobody serves', () => {
    expect(index.apiGroup('nope')).toBeUndefined();
    expect(index.apiResourceList('apps', 'v2')).toBeUndefined();
  });
});

describe('aggregated documents', () => {
  it('leave group and version empty for built-in kinds', () => {
    const document = index.aggregated('api', 'v2') as {
      items: { metadata: object; versions: { resources: { resource: string }[] }[] }[];
    };
    expect(document).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
    });
    expect(document.items[0]?.metadata).toEqual({});
    expect(document.items[0]?.versions[0]?.resources.find(({ resource }) => resource === 'serviceaccounts')).toEqual({
      resource: 'serviceaccounts',
      responseKind: { group: '', version: '', kind: 'ServiceAccount' },
      scope: 'Namespaced',
      singularResource: 'serviceaccount',
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      shortNames: ['sa'],
      subresources: [
        {
          subresource: 'token',
          responseKind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
          verbs: ['create'],
        },
      ],
    });
  });

  it('spell group and version out for custom kinds', () => {
    expect(new DiscoveryIndex([gizmo('v1')]).aggregated('apis', 'v2beta1')).toEqual({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2beta1',
      metadata: {},
      items: [
        {
          metadata: { name: 'x.example.com' },
          versions: [
            {
              version: 'v1',
              resources: [
                {
                  resource: 'gizmos',
                  responseKind: { group: 'x.example.com', version: 'v1', kind: 'Gizmo' },
                  scope: 'Namespaced',
                  singularResource: 'gizmo',
                  verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
                  shortNames: ['gz'],
                  categories: ['all'],
                  subresources: [
                    {
                      subresource: 'status',
                      responseKind: { group: 'x.example.com', version: 'v1', kind: 'Gizmo' },
                      verbs: ['get', 'patch', 'update'],
                    },
                    {
                      subresource: 'scale',
                      responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
                      verbs: ['get', 'patch', 'update'],
                    },
                  ],
                },
              ],
              freshness: 'Current',
            },
          ],
        },
      ],
    });
  });

  it('distinguish stale group-versions from current ones', () => {
    const custom = new DiscoveryIndex([gizmo('v1')], { freshness: () => 'Stale' });
    expect(custom.aggregated('apis', 'v2')).toMatchObject({ items: [{ versions: [{ freshness: 'Stale' }] }] });
  });
});
