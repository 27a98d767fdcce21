import { expect } from 'vitest';
import type { Answer, Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('discovery');

interface Resource {
  readonly name: string;
}

/** The kinds both servers have; a newer server has more. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  '/api/v1': [
    'configmaps',
    'secrets',
    'namespaces',
    'namespaces/status',
    'namespaces/finalize',
    'pods',
    'pods/status',
    'pods/binding',
    'services',
    'services/status',
    'nodes',
    'events',
    'serviceaccounts',
    'persistentvolumeclaims',
    'limitranges',
    'endpoints',
  ],
  '/apis/apps/v1': [
    'deployments',
    'deployments/scale',
    'deployments/status',
    'replicasets',
    'statefulsets',
    'statefulsets/scale',
    'daemonsets',
    'controllerrevisions',
  ],
  '/apis/batch/v1': ['jobs', 'jobs/status', 'cronjobs'],
  '/apis/autoscaling/v2': ['horizontalpodautoscalers', 'horizontalpodautoscalers/status'],
  '/apis/autoscaling/v1': ['horizontalpodautoscalers'],
  '/apis/rbac.authorization.k8s.io/v1': ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
  '/apis/coordination.k8s.io/v1': ['leases'],
  '/apis/policy/v1': ['poddisruptionbudgets', 'poddisruptionbudgets/status'],
  '/apis/events.k8s.io/v1': ['events'],
  '/apis/networking.k8s.io/v1': ['ingresses', 'ingressclasses', 'networkpolicies'],
};

const v2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const v2beta1 = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

it('each group version lists its resources', async (s) => {
  for (const [path, names] of Object.entries(KINDS)) {
    const { resources, ...head } = (await s.quiet('GET', path)).body as {
      resources: (Resource & { storageVersionHash?: string })[];
    };
    s.remark(path, head);
    for (const name of names) {
      const { storageVersionHash: _hash, ...entry } = resources.find((each) => each.name === name) ?? {
        name: `no ${name}`,
      };
      s.remark(`${path} ${name}`, entry);
    }
  }
});

interface GroupDiscovery {
  readonly metadata: { readonly name?: string };
  readonly versions: {
    readonly version: string;
    readonly resources: { readonly resource: string; readonly subresources?: { readonly subresource: string }[] }[];
  }[];
}

async function aggregated(s: Session, accept: string): Promise<void> {
  for (const root of ['/api', '/apis']) {
    const answer = await s.quiet('GET', root, { accept: `${accept},application/json` });
    const { items, ...head } = answer.body as { items: GroupDiscovery[] };
    s.remark(`${root} head`, {
      ...head,
      contentType: answer.headers['content-type'],
      vary: answer.headers['vary'],
      hasEtag: typeof answer.headers['etag'],
    });
    for (const [path, names] of Object.entries(KINDS)) {
      const [, base, group = '', version = group] = path.split('/');
      if (root !== `/${base}`) continue;
      const found = items.find(({ metadata }) => (metadata.name ?? '') === (base === 'api' ? '' : group));
      const { resources = [] } = found?.versions.find((each) => each.version === version) ?? {};
      for (const name of names.filter((each) => !each.includes('/'))) {
        const { subresources = [], ...entry } = resources.find(({ resource }) => resource === name) ?? {
          resource: `no ${name}`,
        };
        const wanted = subresources.filter((each) => names.includes(`${name}/${each.subresource}`));
        s.remark(`${path} ${name}`, { ...entry, subresources: wanted });
      }
    }
  }
}

it('aggregated discovery v2 has every resource', (s) => aggregated(s, v2));

it(
  'aggregated discovery v2beta1 lists the same as v2',
  async (s) => {
    for (const root of ['/api', '/apis']) {
      const [older, newer] = await Promise.all(
        [v2beta1, v2].map((accept) => s.quiet('GET', root, { accept: `${accept},application/json` })),
      );
      expect(older?.headers['content-type']).toBe(v2beta1);
      expect(older?.body).toEqual({ ...(newer?.body as object), apiVersion: 'apidiscovery.k8s.io/v2beta1' });
    }
  },
  { recordsNothing: true, exempt: { 'real-1.36': 'v2beta1 is no longer served there' } },
);

const withoutEtag = (answer: Answer): string => String(answer.headers['etag']);

it('an ETag that still holds is answered 304 without a body', async (s) => {
  for (const root of ['/api', '/apis']) {
    const first = await s.quiet('GET', root, { accept: v2 });
    expect(withoutEtag(first)).toMatch(/^"[0-9A-F]+"$/);
    const again = await s.quiet('GET', root, { accept: v2, headers: { 'if-none-match': withoutEtag(first) } });
    s.remark(`${root} again`, {
      status: again.status,
      text: again.text,
      isSame: again.headers['etag'] === first.headers['etag'],
    });
    const other = await s.quiet('GET', root, { accept: v2, headers: { 'if-none-match': '"0"' } });
    s.remark(`${root} other`, { status: other.status });
  }
});

it('legacy discovery lists versions and groups', async (s) => {
  const { serverAddressByClientCIDRs: addresses, ...versions } = (await s.quiet('GET', '/api')).body as {
    serverAddressByClientCIDRs: object[];
  };
  s.remark('/api', { ...versions, addresses: addresses.map((each) => Object.keys(each)) });
  const { groups, ...head } = (await s.quiet('GET', '/apis')).body as { groups: Resource[] };
  s.remark('/apis', head);
  for (const path of Object.keys(KINDS).slice(1))
    s.remark(path, groups.find(({ name }) => name === path.split('/')[2]) ?? 'missing');
  await s.get('/apis/apps');
  await s.get('/apis/autoscaling');
});

it('paths that are not there are plain text, resources that are not there a Status', async (s) => {
  for (const path of [
    '/nothing',
    '/api/v2',
    '/api/v2/pods',
    '/apis/nothing',
    '/apis/nothing.example.com/v1',
    '/apis/apps/v9',
    '/apis/apps/v9/deployments',
    '/api/v1/nothing',
    '/api/v1/namespaces/{ns}/nothing',
    '/apis/apps/v1/nothing',
    '/apis/nothing.example.com/v1/things',
    '/api/v1/namespaces/{ns}/nodes',
    '/api/v1/namespaces/{ns}/configmaps/x/status',
    '/api/v1/namespaces/{ns}/configmaps/x/nothing',
    '/api/v1/namespaces/{ns}/pods/x/status/more',
    '/apis/apps/v1/namespaces/{ns}/deployments/d/finalize',
  ]) {
    await s.get(path);
  }
  await s.post('/api/v1/nothing', {});
  await s.delete('/nothing');
});

it('methods that are not offered are refused', async (s) => {
  const at = '/api/v1/namespaces/{ns}/configmaps';
  await s.put(at, {});
  await s.merge(at, {});
  await s.post(`${at}/x`, {});
  await s.post('/api/v1/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } });
  await s.delete('/api/v1/configmaps?labelSelector=none-{ns}');
  await s.delete('/api/v1/namespaces');
  await s.post('/api/v1/namespaces/{ns}/pods/p/status', {});
  await s.delete('/api/v1/namespaces/{ns}/pods/p/status');
  await s.get('/api/v1/namespaces/{ns}/pods/p/binding');
  await s.call('TRACE', at);
  await s.call('OPTIONS', at);
  await s.post('/version', {});
  await s.post('/apis/apps/v1', {});
});

it('health and version are answered', async (s) => {
  for (const path of [
    '/healthz',
    '/livez',
    '/readyz',
    '/healthz/ping',
    '/livez/ping',
    '/readyz/ping',
    '/healthz/nothing',
    '/readyz?exclude=etcd',
  ])
    await s.get(path);
  const version = (await s.quiet('GET', '/version')).body as Record<string, string>;
  s.remark(
    'fields',
    Object.keys(version).filter((key) => !/ompat|mulation/.test(key)),
  );
  expect(version['gitVersion']).toMatch(new RegExp(`^v${version['major']}\\.${version['minor']}\\.\\d+`));
  const verbose = await s.quiet('GET', '/readyz?verbose');
  expect(verbose.text).toMatch(/^\[\+\]ping ok\n/);
  expect(verbose.text).toMatch(/\nreadyz check passed\n$/);
});

it('the root lists paths', async (s) => {
  const { paths } = (await s.quiet('GET', '/')).body as { paths: string[] };
  const wanted = [
    '/api',
    '/api/v1',
    '/apis',
    '/apis/',
    '/apis/apps',
    '/apis/apps/v1',
    '/healthz',
    '/healthz/ping',
    '/livez',
    '/livez/ping',
    '/readyz',
    '/readyz/ping',
    '/metrics',
    '/openapi/v3',
    '/version',
  ];
  s.remark(
    'listed',
    wanted.map((path) => `${path} ${paths.includes(path)}`),
  );
  expect(paths).toEqual(paths.toSorted());
});

it('HEAD is no method of resources', async (s) => {
  const answer = await s.quiet('HEAD', '/api/v1/namespaces/default');
  s.remark('HEAD', { status: answer.status });
});
