import { describe, expect, it } from 'vitest';
import { ApiError } from '@capstan/meta';
import type { ApiRequest, ApiResponse, KubeObject } from '@capstan/meta';
import { systemRandom } from '../runtime/random.js';
import { ManualClock } from '../testing/manual-clock.js';
import { failed, json, ScriptedTransport } from '../testing/scripted-transport.js';
import { TransportError } from '../transport/errors.js';
import { Client } from './client.js';
import type { ClientOptions } from './client-options.js';
import { retryOnConflict } from './retry.js';

const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const WIDGETS = { group: 'example.com', version: 'v1beta1', plural: 'widgets', namespaced: true };

function make(
  answer: (request: ApiRequest, url: URL) => ApiResponse | Promise<ApiResponse> | undefined,
  options: ClientOptions = {},
) {
  const transport = new ScriptedTransport(answer);
  const clock = new ManualClock();
  return { transport, clock, client: new Client(transport, { clock, random: systemRandom(1), ...options }) };
}

const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n' } };

describe('Client', () => {
  it.each<[string, (client: Client) => Promise<unknown>, string, unknown, string?]>([
    ['get', (c) => c.get(PODS, 'p', { namespace: 'n' }), 'GET /api/v1/namespaces/n/pods/p', undefined],
    [
      'get of a cluster-scoped object',
      (c) => c.get(NODES, 'p', { namespace: 'ignored', resourceVersion: '0' }),
      'GET /api/v1/nodes/p?resourceVersion=0',
      undefined,
    ],
    [
      'get of a subresource',
      (c) => c.get(WIDGETS, 'a/b', { namespace: 'n', subresource: 'scale' }),
      'GET /apis/example.com/v1beta1/namespaces/n/widgets/a%2Fb/scale',
      undefined,
    ],
    [
      'list',
      (c) => c.list(PODS, { labelSelector: 'a=b,c', fieldSelector: 'metadata.name=x', pageSize: 0 }),
      'GET /api/v1/pods?labelSelector=a%3Db%2Cc&fieldSelector=metadata.name%3Dx',
      undefined,
    ],
    [
      'create',
      (c) => c.create(PODS, pod, { dryRun: true, fieldManager: 'me', fieldValidation: 'Strict' }),
      'POST /api/v1/namespaces/n/pods?dryRun=All&fieldManager=me&fieldValidation=Strict',
      pod,
      'application/json',
    ],
    [
      'create of a subresource',
      (c) => c.create(PODS, pod, { name: 'p', subresource: 'eviction' }),
      'POST /api/v1/namespaces/n/pods/p/eviction',
      pod,
      'application/json',
    ],
    [
      'update of the status',
      (c) => c.update(PODS, pod, { subresource: 'status' }),
      'PUT /api/v1/namespaces/n/pods/p/status',
      pod,
      'application/json',
    ],
    [
      'JSON patch',
      (c) => c.patch(PODS, 'p', { type: 'json', value: [] }, { namespace: 'n' }),
      'PATCH /api/v1/namespaces/n/pods/p',
      [],
      'application/json-patch+json',
    ],
    [
      'merge patch',
      (c) => c.patch(PODS, 'p', { type: 'merge', value: {} }, { namespace: 'n' }),
      'PATCH /api/v1/namespaces/n/pods/p',
      {},
      'application/merge-patch+json',
    ],
    [
      'strategic patch',
      (c) => c.patch(PODS, 'p', { type: 'strategic', value: {} }, { namespace: 'n' }),
      'PATCH /api/v1/namespaces/n/pods/p',
      {},
      'application/strategic-merge-patch+json',
    ],
    [
      'apply',
      (c) => c.patch(PODS, 'p', { type: 'apply', value: pod }, { namespace: 'n', force: true, fieldManager: 'me' }),
      'PATCH /api/v1/namespaces/n/pods/p?fieldManager=me&force=true',
      pod,
      'application/apply-patch+yaml',
    ],
    [
      'delete',
      (c) =>
        c.delete(PODS, 'p', {
          namespace: 'n',
          propagationPolicy: 'Orphan',
          gracePeriodSeconds: 0,
          preconditions: { uid: 'u' },
        }),
      'DELETE /api/v1/namespaces/n/pods/p',
      {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        gracePeriodSeconds: 0,
        preconditions: { uid: 'u' },
        propagationPolicy: 'Orphan',
      },
      'application/json',
    ],
    [
      'deleteCollection',
      (c) => c.deleteCollection(PODS, { namespace: 'n', labelSelector: 'a', dryRun: true }),
      'DELETE /api/v1/namespaces/n/pods?labelSelector=a',
      { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] },
      'application/json',
    ],
    [
      'watch',
      (c) => c.watch(PODS, { resourceVersion: '5', allowWatchBookmarks: true, timeoutSeconds: 9 }),
      'GET /api/v1/pods?watch=true&resourceVersion=5&allowWatchBookmarks=true&timeoutSeconds=9',
      undefined,
    ],
  ])('sends a %s', async (...[, call, line, body, contentType]) => {
    const { client, transport } = make((request) => (request.target.includes('watch=') ? undefined : json({})), {
      userAgent: 'test/1',
    });
    await call(client);
    expect(transport.log).toEqual([line]);
    const [request] = transport.requests;
    expect(request?.body).toEqual(body === undefined ? undefined : { type: 'value', value: body });
    expect(request?.headers['content-type']).toBe(contentType);
    expect(request?.headers).toMatchObject({ 'user-agent': 'test/1', accept: 'application/json' });
  });

  it('asks for metadata only with that option', async () => {
    const { client, transport } = make(() => json({}));
    await client.get(PODS, 'p', { namespace: 'n', metadataOnly: true });
    await client.list(PODS, { metadataOnly: true });
    expect(transport.requests.map(({ headers }) => headers['accept'])).toEqual([
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
    ]);
  });

  it('refuses an empty name, which would address everything', () => {
    const { client } = make(() => json({}));
    expect(() => client.delete(PODS, '', { namespace: 'n' })).toThrow('resource name may not be empty (pods)');
  });

  it('follows pages and names the kind of the items', async () => {
    const page = (items: string[], token?: string): ApiResponse =>
      json({
        kind: 'PodList',
        apiVersion: 'v1',
        metadata: { resourceVersion: '7', ...(token === undefined ? {} : { continue: token }) },
        items: items.map((name) => ({ metadata: { name } })),
      });
    const { client, transport } = make((_request, url) =>
      url.searchParams.get('continue') === 'next' ? page(['b']) : page(['a'], 'next'),
    );
    const list = await client.list(PODS, { resourceVersion: '3', pageSize: 1 });
    expect(list).toEqual({
      resourceVersion: '7',
      items: ['a', 'b'].map((name) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } })),
    });
    expect(transport.log).toEqual([
      'GET /api/v1/pods?limit=1&resourceVersion=3',
      'GET /api/v1/pods?limit=1&continue=next',
    ]);
  });

  it('lists all at once when a page has expired', async () => {
    const { client, transport } = make((_request, url) => {
      if (url.searchParams.has('continue')) return failed(410, 'Expired');
      return json({
        metadata: { resourceVersion: '9', continue: url.searchParams.has('limit') ? 'x' : '' },
        items: [pod],
      });
    });
    expect(await client.list(PODS)).toMatchObject({ resourceVersion: '9', items: [pod] });
    expect(transport.log.at(-1)).toBe('GET /api/v1/pods');
  });

  it('turns a Status into an ApiError, and anything else into one with what is known', async () => {
    const status = failed(409, 'Conflict', { name: 'p' });
    const text: ApiResponse = {
      status: 404,
      headers: {},
      body: { type: 'payload', chunks: () => [], value: () => '404 page not found\n' },
    };
    const { client } = make((request) => (request.method === 'PUT' ? status : text));
    const conflict: unknown = await client.update(PODS, pod).catch((error: unknown) => error);
    expect(conflict).toBeInstanceOf(ApiError);
    expect((conflict as ApiError).message).toBe('Conflict (409)');
    const missing = (await client.get(WIDGETS, 'w', { namespace: 'n' }).catch((error: unknown) => error)) as ApiError;
    expect([missing.code, missing.reason, missing.message]).toEqual([
      404,
      'NotFound',
      'the server could not find the requested resource (get widgets.example.com w)',
    ]);
  });

  /** As a server in the same process passes on what a pod sends. */
  const streamed = (status: number, text: string): ApiResponse => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: {
      type: 'stream',
      read: async function* read() {
        for (const half of [text.slice(0, 5), text.slice(5)]) yield await Promise.resolve(Buffer.from(half));
      },
      cancel: () => undefined,
    },
  });
  const proxied = { method: 'GET', target: '/api/v1/namespaces/n/pods/p/proxy/x', accept: '*/*' };

  it('reads a body that is streamed to its end, unless the caller asked for a stream', async () => {
    const { client } = make(() => streamed(200, '{"state":"ok"}'));
    const { body } = await client.request(proxied);
    expect(body.type === 'payload' && body.value()).toEqual({ state: 'ok' });
    expect((await client.request({ ...proxied, isStreaming: true })).body.type).toBe('stream');
  });

  it('has the text of a streamed refusal in its error', async () => {
    const { client } = make(() => streamed(503, '{"state":"pending"}'), { maxRetries: 0 });
    const refused: unknown = await client.request({ ...proxied, isStreaming: true }).catch((error: unknown) => error);
    expect((refused as ApiError).status.details?.causes).toEqual([
      { reason: 'UnexpectedServerResponse', message: '{"state":"pending"}' },
    ]);
  });

  it('comes back when asked to, a bounded number of times', async () => {
    let failures = 2;
    const busy = (): ApiResponse => ({ ...failed(429, 'TooManyRequests'), headers: { 'retry-after': '1' } });
    const { client, clock, transport } = make(() => ((failures -= 1) >= 0 ? busy() : json({ ok: true })), {
      maxRetries: 3,
    });
    const first = client.create(PODS, pod);
    await clock.advance(999);
    expect(transport.requests).toHaveLength(1);
    await clock.advance(5000);
    expect(await first).toEqual({ ok: true });
    failures = 100;
    const second = client.create(PODS, pod).catch((error: unknown) => error);
    await clock.advance(100_000);
    expect(await second).toBeInstanceOf(ApiError);
    expect(transport.requests).toHaveLength(3 + 4);
  });

  it('does not repeat an error that does not ask for it', async () => {
    const { client, transport } = make(() => failed(503, 'ServiceUnavailable'));
    await expect(client.get(PODS, 'p')).rejects.toThrow('ServiceUnavailable (503)');
    expect(transport.requests).toHaveLength(1);
  });

  it('repeats reads over a lost connection, never writes', async () => {
    const { client, clock, transport } = make(() => Promise.reject(new TransportError('ECONNRESET', 'lost', true)));
    await expect(client.create(PODS, pod)).rejects.toThrow('lost');
    expect(transport.requests).toHaveLength(1);
    const read = client.get(PODS, 'p').catch((error: unknown) => error);
    await clock.advance(10_000);
    expect(await read).toMatchObject({ code: 'ECONNRESET' });
    expect(transport.requests).toHaveLength(1 + 4);
  });

  it('knows a lost connection to a server in this process by its name', async () => {
    let losses = 1;
    const lost = Object.assign(new Error('lost'), { name: 'ConnectionLost', when: 'after' });
    const { client, clock, transport } = make(() => ((losses -= 1) >= 0 ? Promise.reject(lost) : json({ ok: true })));
    const read = client.get(PODS, 'p');
    await clock.advance(1000);
    expect([await read, transport.requests.length]).toEqual([{ ok: true }, 2]);
    losses = 1;
    await expect(client.create(PODS, pod)).rejects.toBe(lost);
  });

  it('passes warnings on', async () => {
    const texts: string[] = [];
    const { client } = make(() => json({}, 200, { warning: ['299 - "old \\"api\\""', '299 - "b"'] }), {
      onWarning: (text) => texts.push(text),
    });
    await client.get(PODS, 'p');
    expect(texts).toEqual(['old "api"', 'b']);
  });
});

describe('a signal that has aborted', () => {
  it('rejects every request, also where the transport would answer', async () => {
    const { client, transport } = make(() => json({ items: [] }));
    const signal = AbortSignal.abort();
    await expect(client.list(PODS, { signal })).rejects.toMatchObject({ code: 'ABORTED', mayHaveReachedServer: false });
    await expect(client.create(PODS, pod, { signal })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(transport.requests).toEqual([]);
  });
});

describe('retryOnConflict', () => {
  it('tries five times and then gives the conflict up', async () => {
    const clock = new ManualClock();
    let tries = 0;
    const options = { clock, random: systemRandom(1) };
    const conflict = new ApiError({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason: 'Conflict',
      code: 409,
    });
    const never = retryOnConflict(options, () => {
      tries += 1;
      return Promise.reject(conflict);
    }).catch((error: unknown) => error);
    await clock.advance(1000);
    expect([await never, tries]).toEqual([conflict, 5]);
    const second = retryOnConflict(options, () =>
      (tries += 1) < 8 ? Promise.reject(conflict) : Promise.resolve('done'),
    );
    await clock.advance(1000);
    expect(await second).toBe('done');
    await expect(retryOnConflict(options, () => Promise.reject(new Error('other')))).rejects.toThrow('other');
  });
});
