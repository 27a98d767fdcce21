import { afterEach, describe, expect, it } from 'vitest';
import { ask } from '../testing/ask.js';
import { sendJson, serveTls, proxyInFrontOf } from '../testing/fixture.js';
import type { Fixture } from '../testing/fixture.js';
import { readTranslation } from './translation.js';

let fixture: Fixture | undefined;
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});

describe('The second port', () => {
  it('reports that the proxy is live even when the server is down, and ready only when the server answers', async () => {
    const upstream = await serveTls((_request, response) => sendJson(response, { gitVersion: 'v1' }));
    fixture = await proxyInFrontOf(upstream);
    const status = async (path: string): Promise<number> => (await ask(`${fixture?.proxy.healthUrl}${path}`)).status;
    expect([await status('/healthz'), await status('/readyz'), await status('/readyz/upstream')]).toEqual([
      200, 200, 200,
    ]);
    await upstream.close();
    expect([await status('/healthz'), await status('/readyz'), await status('/readyz/upstream')]).toEqual([
      200, 500, 500,
    ]);
  });

  it('counts what was asked, by bounded labels, and how long it took', async () => {
    fixture = await proxyInFrontOf(
      await serveTls((request, response) =>
        sendJson(response, {}, request.url?.includes('missing') === true ? 404 : 200),
      ),
    );
    const { url, healthUrl } = fixture.proxy;
    await ask(`${url}/apis/cluster.x-k8s.io/v1beta2/namespaces/n/machines/m`);
    await ask(`${url}/apis/cluster.x-k8s.io/v1beta2/namespaces/n/machines/missing`);
    await ask(`${url}/apis/ipam.cluster.x-k8s.io/v1beta2/ipaddresses`, { method: 'PROPFIND' });
    await ask(`${url}/api/v1/namespaces/n/Not_A_Resource`);
    await ask(`${url}/apis`);
    await ask(`${url}/openapi/v3`);
    const { text } = await ask(`${healthUrl}/metrics`);
    const requests = text.split('\n').filter((line) => line.startsWith('hypershift_api_proxy_requests_total'));
    expect(requests).toEqual([
      'hypershift_api_proxy_requests_total{method="GET",resource="machine",code="200"} 1',
      'hypershift_api_proxy_requests_total{method="GET",resource="machine",code="404"} 1',
      'hypershift_api_proxy_requests_total{method="other",resource="ipaddress",code="200"} 1',
      'hypershift_api_proxy_requests_total{method="GET",resource="other",code="200"} 1',
      'hypershift_api_proxy_requests_total{method="GET",resource="discovery",code="200"} 1',
      'hypershift_api_proxy_requests_total{method="GET",resource="openapi",code="200"} 1',
    ]);
    const bounds = [...text.matchAll(/duration_seconds_bucket\{method="GET",resource="machine",le="([^"]+)"/g)].map(
      ([, le]) => le,
    );
    expect(bounds).toEqual(['0.001', '0.005', '0.01', '0.05', '0.1', '0.5', '1', '+Inf']);
    const sum = (name: string): number =>
      Number(
        new RegExp(`hypershift_api_proxy_${name}_sum\\{method="GET",resource="machine"\\} (\\S+)`).exec(text)?.[1],
      );
    expect(sum('overhead_seconds')).toBeGreaterThan(0);
    expect(sum('overhead_seconds')).toBeLessThan(sum('request_duration_seconds'));
  });

  it('forgets no request but remembers no more resources than it may', async () => {
    fixture = await proxyInFrontOf(await serveTls((_request, response) => sendJson(response, {})));
    const { url, healthUrl } = fixture.proxy;
    for (let at = 0; at < 300; at += 1) await ask(`${url}/api/v1/made${at}up`);
    const { text } = await ask(`${healthUrl}/metrics`);
    expect(text).toContain('hypershift_api_proxy_requests_total{method="GET",resource="other",code="200"} 44\n');
  });

  it('reads an object by its standard group and reports under which group it came', async () => {
    const group = 'cluster.hypershift.openshift.io';
    const documents: Readonly<Record<string, unknown>> = {
      [`/apis/${group}`]: {
        kind: 'APIGroup',
        name: group,
        preferredVersion: { groupVersion: `${group}/v1beta2`, version: 'v1beta2' },
      },
      [`/apis/${group}/v1beta2`]: {
        kind: 'APIResourceList',
        groupVersion: `${group}/v1beta2`,
        resources: [{ name: 'clusters', verbs: ['list'] }],
      },
      [`/apis/${group}/v1beta2/clusters?limit=1`]: {
        apiVersion: `${group}/v1beta2`,
        items: [{ apiVersion: `${group}/v1beta2` }],
      },
    };
    fixture = await proxyInFrontOf(
      await serveTls((request, response) => sendJson(response, documents[request.url ?? ''] ?? {})),
    );
    const answer = await ask(`${fixture.proxy.healthUrl}/readyz/translation`);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      {
        ok: true,
        asked: 'cluster.x-k8s.io',
        got: 'cluster.x-k8s.io',
        version: 'v1beta2',
        resource: 'clusters',
        objects: 1,
        message: 'objects come under the standard name',
      },
    ]);
  });
});

describe('The check of the translation', () => {
  const found = {
    '/apis/g': { preferredVersion: { version: 'v1' } },
    '/apis/g/v1': { resources: [{ name: 'things', verbs: ['list'] }] },
  };
  it.each([
    [
      'a group that is not there',
      {},
      { message: 'the server does not serve the group under its private name: install its definitions' },
    ],
    [
      'a group without resources',
      { ...found, '/apis/g/v1': {} },
      { message: 'the group has no resource that can be listed' },
    ],
    ['objects that may not be read', found, { resource: 'things', message: 'no object can be read: 404' }],
    [
      'objects of another group',
      { ...found, '/apis/g/v1/things?limit=1': { apiVersion: 'g/v1', items: [{ apiVersion: 'p/v1' }] } },
      { got: 'p', objects: 1, message: 'objects come under another name than was asked for' },
    ],
  ])('fails for %s', async (_name, documents: Readonly<Record<string, unknown>>, expected) => {
    const report = await readTranslation(
      (target) => {
        const document = documents[target];
        return Promise.resolve(
          document === undefined ? { status: 404, text: '404' } : { status: 200, text: JSON.stringify(document) },
        );
      },
      'g',
      'mine',
    );
    expect(report).toMatchObject({ ok: false, asked: 'g', ...expected });
  });

  it('reads the objects of its own namespace when it may not read all', async () => {
    const asked: string[] = [];
    const documents: Readonly<Record<string, unknown>> = {
      ...found,
      '/apis/g/v1/namespaces/mine/things?limit=1': { apiVersion: 'g/v1', items: [] },
    };
    const report = await readTranslation(
      (target) => {
        asked.push(target);
        const document = documents[target];
        return Promise.resolve({ status: document === undefined ? 403 : 200, text: JSON.stringify(document) });
      },
      'g',
      'mine',
    );
    expect(report).toMatchObject({ ok: true, got: 'g', resource: 'things', objects: 0 });
    expect(asked.slice(2)).toEqual(['/apis/g/v1/things?limit=1', '/apis/g/v1/namespaces/mine/things?limit=1']);
  });

  it('fails when nobody answers', async () => {
    const report = await readTranslation(() => Promise.reject(new TypeError('refused')), 'g', 'mine');
    expect(report).toEqual({ ok: false, asked: 'g', message: 'refused' });
  });
});
