import { ManualClock } from '@capstan/kube/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { readyzResourceFrom } from '../config.js';
import { ask } from '../testing/ask.js';
import { sendJson, serveTls, proxyInFrontOf } from '../testing/fixture.js';
import type { Fixture } from '../testing/fixture.js';
import { REPEATED_MS, STEP_MS, TranslationCheck } from './translation.js';
import type { TranslationReport } from './translation.js';

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

  it('reads an object by its standard group and reports which one, and under which group it came', async () => {
    const asked: string[] = [];
    fixture = await proxyInFrontOf(
      await serveTls((request, response) => {
        asked.push(`${request.method} ${request.url}`);
        sendJson(response, DOCUMENTS[request.url ?? ''] ?? {}, request.method === 'POST' ? 201 : 200);
      }),
    );
    const probe = async (): Promise<readonly unknown[]> => {
      const { status, text } = await ask(`${fixture?.proxy.healthUrl}/readyz/translation`);
      return [status, JSON.parse(text)];
    };
    expect(await probe()).toMatchObject([503, { state: 'pending', ok: false }]);
    await expect.poll(probe, { timeout: 10_000, interval: 100 }).toEqual([
      200,
      {
        state: 'ok',
        ok: true,
        asked: 'cluster.x-k8s.io',
        got: 'cluster.x-k8s.io',
        version: 'v1beta2',
        resource: 'machines',
        object: 'n/m',
        message: 'objects come under the standard group',
      },
    ]);
    await probe();
    expect(asked).toEqual([
      `GET /apis/${PRIVATE}`,
      'POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      `GET /apis/${PRIVATE}/v1beta2/machines?limit=1`,
    ]);
  });

  it('reads what it is given, and no more', async () => {
    const asked: (string | undefined)[] = [];
    fixture = await proxyInFrontOf(
      await serveTls((request, response) => {
        asked.push(request.url);
        sendJson(response, { apiVersion: `${PRIVATE}/v1beta1`, items: [] });
      }),
      { readyzResource: readyzResourceFrom('cluster.x-k8s.io/v1beta1/clusters') },
    );
    const answer = await ask(`${fixture.proxy.healthUrl}/readyz/translation`);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      200,
      { state: 'nothing-to-read', ok: false, got: 'cluster.x-k8s.io', resource: 'clusters', namespace: 'default' },
    ]);
    expect(asked).toEqual([`/apis/${PRIVATE}/v1beta1/namespaces/default/clusters?limit=1`]);
  });
});

const PRIVATE = 'cluster.hypershift.openshift.io';
const DOCUMENTS: Readonly<Record<string, unknown>> = {
  [`/apis/${PRIVATE}`]: {
    kind: 'APIGroup',
    name: PRIVATE,
    preferredVersion: { groupVersion: `${PRIVATE}/v1beta2`, version: 'v1beta2' },
  },
  '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews': {
    kind: 'SelfSubjectRulesReview',
    status: { resourceRules: [{ apiGroups: [PRIVATE], resources: ['machines'], verbs: ['get', 'list', 'watch'] }] },
  },
  [`/apis/${PRIVATE}/v1beta2/machines?limit=1`]: {
    apiVersion: `${PRIVATE}/v1beta2`,
    items: [{ apiVersion: `${PRIVATE}/v1beta2`, metadata: { name: 'm', namespace: 'n' } }],
  },
};

interface Answer {
  readonly status?: number;
  readonly body?: unknown;
}

/** A check before a scripted server, and what it was asked. */
function checkBefore(answers: Readonly<Record<string, Answer>>, resource?: string) {
  const asked: string[] = [];
  const clock = new ManualClock();
  const check = new TranslationCheck({
    clock,
    group: 'g',
    namespace: 'mine',
    resource: resource === undefined ? undefined : readyzResourceFrom(resource),
    ask: (target) => {
      asked.push(target);
      const { body, status = 200 } = answers[target] ?? { status: 404, body: 'not found' };
      return Promise.resolve({ status, text: typeof body === 'string' ? body : JSON.stringify(body) });
    },
  });
  /** One probe after another, each when the answer before it is no longer repeated. */
  const settled = async (): Promise<TranslationReport> => {
    for (;;) {
      const report = await check.run();
      if (report.state !== 'pending') return report;
      await clock.advance(STEP_MS);
    }
  };
  return { asked, check, clock, settled };
}

const REVIEW = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
const rules = (...resourceRules: object[]): Answer => ({ status: 201, body: { status: { resourceRules } } });
const group: Answer = { body: { preferredVersion: { version: 'v1' } } };
const all = { apiGroups: ['g'], resources: ['things'], verbs: ['list'] };

describe('The check of the translation', () => {
  it.each<[string, Readonly<Record<string, Answer>>, object]>([
    [
      'a group that is not served',
      {},
      {
        message:
          'the server does not serve the group under its private name: install its CRDs with capstan crds mirror',
      },
    ],
    [
      'an account that may list nothing of the group',
      {
        '/apis/g': group,
        [REVIEW]: rules(
          { ...all, apiGroups: ['other'] },
          { ...all, verbs: ['get'] },
          { ...all, resourceNames: ['one'] },
          { ...all, resources: ['things/status'] },
        ),
      },
      {
        message:
          'the account may list nothing of g in namespace mine: grant it, or name what it may list with --readyz-resource',
      },
    ],
    [
      'objects that may not be read after all',
      { '/apis/g': group, [REVIEW]: rules(all), '/apis/g/v1/things?limit=1': { status: 500, body: 'no' } },
      { resource: 'things', message: 'things cannot be listed: no' },
    ],
    [
      'objects of another group',
      {
        '/apis/g': group,
        [REVIEW]: rules(all),
        '/apis/g/v1/things?limit=1': { body: { apiVersion: 'g/v1', items: [{ apiVersion: 'p/v1' }] } },
      },
      { got: 'p', message: 'objects come under another group than was asked for' },
    ],
  ])('fails for %s', async (_name, answers, expected) => {
    expect(await checkBefore(answers).settled()).toMatchObject({ state: 'failed', ok: false, asked: 'g', ...expected });
  });

  it.each([
    [['clusters', 'machines', 'others'], 'machines'],
    [['clusters', 'machines/status'], 'clusters'],
    [['zebras', 'apes'], 'apes'],
    [['*'], 'machines'],
  ])('of an account that may list %j reads %s', async (resources, chosen) => {
    const { asked, settled } = checkBefore({ '/apis/g': group, [REVIEW]: rules({ ...all, resources, verbs: ['*'] }) });
    await settled();
    expect(asked.at(-1)).toBe(`/apis/g/v1/${chosen}?limit=1`);
  });

  it('reads the objects of its own namespace when it may not read all', async () => {
    const { asked, settled } = checkBefore({
      '/apis/g': group,
      [REVIEW]: rules(all),
      '/apis/g/v1/things?limit=1': { status: 403, body: 'no' },
      '/apis/g/v1/namespaces/mine/things?limit=1': { body: { apiVersion: 'g/v1', items: [] } },
    });
    expect(await settled()).toMatchObject({ state: 'nothing-to-read', ok: false, got: 'g', namespace: 'mine' });
    expect(asked.slice(2)).toEqual(['/apis/g/v1/things?limit=1', '/apis/g/v1/namespaces/mine/things?limit=1']);
  });

  it('tries machines where the permissions cannot be read', async () => {
    const { asked, settled } = checkBefore({ '/apis/g': group, [REVIEW]: { status: 403, body: 'no' } });
    await settled();
    expect(asked.at(-1)).toBe('/apis/g/v1/machines?limit=1');
  });

  it.each([
    ['g/v1/things', '/apis/g/v1/namespaces/mine/things?limit=1'],
    ['g/v1/things/theirs', '/apis/g/v1/namespaces/theirs/things?limit=1'],
    ['g/v1/things/*', '/apis/g/v1/things?limit=1'],
  ])('given %s reads %s', async (resource, target) => {
    const { asked, check } = checkBefore({ [target]: { body: { apiVersion: 'g/v1', items: [{}] } } }, resource);
    expect(await check.run()).toMatchObject({ state: 'ok', ok: true });
    expect(asked).toEqual([target]);
  });

  it.each(['', 'g', 'g/v1', 'g/v1/', 'g/v1/things/', 'g/v1/things/n/x', 'g/*/things', '../v1/things'])(
    'cannot be given %j',
    (text) => {
      expect(() => readyzResourceFrom(text)).toThrow(`--readyz-resource ${JSON.stringify(text)} is not GROUP/VERSION`);
    },
  );

  it('asks the server once for probes at the same time, and not again for five seconds', async () => {
    const target = '/apis/g/v1/things?limit=1';
    const { asked, check, clock } = checkBefore(
      { [target]: { body: { apiVersion: 'g/v1', items: [{}] } } },
      'g/v1/things/*',
    );
    const [one, other] = await Promise.all([check.run(), check.run()]);
    expect(one).toBe(other);
    await clock.advance(REPEATED_MS - 1);
    await check.run();
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    await check.run();
    expect(asked).toHaveLength(2);
  });

  it('finds permissions again after they have changed', async () => {
    const answers: Record<string, Answer> = { '/apis/g': group, [REVIEW]: rules(all) };
    const { clock, settled } = checkBefore(answers);
    expect(await settled()).toMatchObject({ state: 'failed', resource: 'things' });
    answers[REVIEW] = rules({ ...all, resources: ['machines'] });
    answers['/apis/g/v1/machines?limit=1'] = { body: { apiVersion: 'g/v1', items: [{}] } };
    await clock.advance(REPEATED_MS);
    expect(await settled()).toMatchObject({ state: 'ok', resource: 'machines' });
  });

  it('fails when nobody answers', async () => {
    const check = new TranslationCheck({
      clock: new ManualClock(),
      group: 'g',
      namespace: 'mine',
      resource: undefined,
      ask: () => Promise.reject(new TypeError('refused')),
    });
    expect(await check.run()).toEqual({ state: 'failed', ok: false, asked: 'g', message: 'refused' });
  });
});
