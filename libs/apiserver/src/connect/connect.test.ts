import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiRequest, ApiResponse, KubeObject } from '@capstan/meta';
import { podConnector } from '../http/index.js';
import { testCertificates } from '../http/testing-certificates.js';
import { ApiServer, type ApiServerOptions } from '../server.js';
import { countingRandom, ManualClock } from '../testing/fixture.js';
import type { WebhookCaller } from '../webhook/call.js';
import type { NodeConnector, PodAddress } from '../verbs/connectors.js';
import type { BackendRequest } from '../verbs/backend-request.js';

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))));
  return (server.address() as AddressInfo).port;
}

/** A kubelet that answers with these, and what it was asked. */
function scripted(answer: ApiResponse | Error): NodeConnector & { readonly asked: BackendRequest[] } {
  const asked: BackendRequest[] = [];
  return {
    asked,
    ask(_kubelet, request) {
      asked.push(request);
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
}

function answerOf(status: number, text: string, headers: ApiResponse['headers'] = {}): ApiResponse {
  async function* read(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  return { status, headers, body: { type: 'stream', read, cancel: () => {} } };
}

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly answer: ApiResponse;
}

interface Fixture {
  readonly server: ApiServer;
  readonly clock: ManualClock;
  readonly ask: (method: string, target: string, more?: Partial<ApiRequest>) => Promise<Answered>;
}

async function fixture(options: Partial<ApiServerOptions>, page?: number): Promise<Fixture> {
  const clock = new ManualClock();
  const server = new ApiServer({ clock, random: countingRandom(), ...options });
  const create = async (collection: string, object: KubeObject): Promise<void> => {
    const target = `/api/v1/${collection}`;
    const created = await server.send({ method: 'POST', target, headers: {}, body: { type: 'value', value: object } });
    expect(created.status).toBe(201);
  };
  const ask: Fixture['ask'] = async (method, target, more = {}) => {
    const answer = await server.send({ method, target, headers: {}, ...more });
    return { status: answer.status, text: await textOf(answer), answer };
  };
  await create('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
  await create('namespaces/default/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default' },
  });
  await create('namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i', ports: [{ containerPort: page ?? 80 }] }] },
  });
  await merge(server, 'nodes/n', {
    addresses: [
      { type: 'ExternalIP', address: '192.0.2.9' },
      { type: 'InternalIP', address: '192.0.2.1' },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 999 } },
  });
  await merge(server, 'namespaces/default/pods/p', { podIP: '10.1.1.1', podIPs: [{ ip: '10.1.1.1' }] });
  return { server, clock, ask };
}

async function merge(server: ApiServer, path: string, status: object): Promise<void> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  const target = `/api/v1/${path}/status`;
  const patched = await server.send({ method: 'PATCH', target, headers, body: { type: 'value', value: { status } } });
  expect(patched.status).toBe(200);
}

async function textOf({ body }: ApiResponse): Promise<string> {
  if (body.type === 'payload') return Buffer.concat(body.chunks()).toString();
  if (body.type !== 'stream') return '';
  const pieces: Uint8Array[] = [];
  for await (const piece of body.read()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const LOG = '/api/v1/namespaces/default/pods/p/log';
const UPGRADE = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };

describe('a log', () => {
  it('is requested at the kubelet address of the node object', async () => {
    const nodes = scripted(answerOf(200, 'text\n', { 'content-type': 'text/plain; charset=utf-8' }));
    const { ask } = await fixture({ nodes });
    const { status, text, answer } = await ask(
      'GET',
      `${LOG}?tailLines=5&follow=true&sinceTime=2026-01-01T01:00:00%2B01:00`,
    );
    expect([status, text, answer.headers['content-type']]).toEqual([200, 'text\n', 'text/plain']);
    expect(nodes.asked).toMatchObject([
      {
        method: 'GET',
        target: '/containerLogs/default/p/c?follow=true&sinceTime=2026-01-01T00%3A00%3A00Z&tailLines=5',
        host: '192.0.2.1:999',
        headers: {},
      },
    ]);
  });

  const refusals: readonly [string, ApiResponse | Error, number, object][] = [
    ['400', answerOf(400, 'not yet'), 400, { message: 'not yet', reason: 'BadRequest' }],
    ['500', answerOf(500, 'broken'), 500, { message: 'Internal error occurred: broken', reason: 'InternalError' }],
    [
      '404',
      answerOf(404, 'no pod'),
      404,
      { message: 'the server could not find the requested resource ( pods/log p)', reason: 'NotFound' },
    ],
    [
      'nothing',
      new Error('dial tcp 192.0.2.1:999: connect: connection refused'),
      500,
      {
        message:
          'Get "https://192.0.2.1:999/containerLogs/default/p/c": dial tcp 192.0.2.1:999: connect: connection refused',
      },
    ],
  ];

  it.each(refusals)('that a kubelet answers with %s is refused in the words of the server', async (...row) => {
    const [, answer, code, expected] = row;
    const { ask } = await fixture({ nodes: scripted(answer) });
    const { status, text } = await ask('GET', LOG);
    expect(status).toBe(code);
    expect(JSON.parse(text)).toMatchObject({ ...expected, code });
  });

  it('cannot be had from a server without a way to its nodes', async () => {
    const { ask } = await fixture({});
    expect((await ask('GET', LOG)).status).toBe(503);
    expect((await ask('POST', LOG.replace('log', 'exec'), { headers: UPGRADE })).status).toBe(503);
    expect((await ask('GET', LOG.replace('log', 'proxy/'))).status).toBe(503);
  });
});

describe('a command', () => {
  const EXEC = LOG.replace('log', 'exec?stdin=1&stdout=true&stderr=false&tty&command=sh&command=-c&command=a+%26+b');

  it('is passed to the kubelet without the credentials of the client', async () => {
    const nodes = scripted(answerOf(403, 'no'));
    const { ask } = await fixture({ nodes });
    const headers = { ...UPGRADE, authorization: 'Bearer secret', 'x-stream-protocol-version': 'v4', host: 'api' };
    expect(await ask('POST', EXEC, { headers })).toMatchObject({ status: 403, text: 'no' });
    expect(nodes.asked).toMatchObject([
      {
        method: 'POST',
        target: '/exec/default/p/c?input=1&output=1&tty=1&command=sh&command=-c&command=a+%26+b',
        headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4' },
      },
    ]);
    expect(nodes.asked[0]?.headers).not.toHaveProperty('authorization');
  });

  it('needs a connection that can go on in another protocol', async () => {
    const { ask } = await fixture({ nodes: scripted(answerOf(200, '')) });
    const { status, text } = await ask('POST', EXEC);
    expect([status, (JSON.parse(text) as { message: string }).message]).toEqual([400, 'Upgrade request required']);
  });

  it('reports a kubelet that does not answer', async () => {
    const { ask } = await fixture({ nodes: scripted(new Error('dial tcp: lost')) });
    const { status, text } = await ask('POST', EXEC, { headers: UPGRADE });
    expect([status, (JSON.parse(text) as { message: string }).message]).toEqual([
      500,
      'error dialing backend: dial tcp: lost',
    ]);
  });
});

describe('a proxy', () => {
  const echo: Answer = (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      response.setHeader('x-host', request.headers.host ?? '');
      response.setHeader('x-seen', Object.keys(request.headers).join(' '));
      response.statusCode = 201;
      response.end(`${request.method} ${request.url} ${Buffer.concat(pieces).toString()}`);
    });
  };

  async function proxied(
    server: Server,
    options: Partial<ApiServerOptions> = {},
  ): Promise<Fixture & { readonly dialled: PodAddress[] }> {
    const port = await listening(server);
    const dialled: PodAddress[] = [];
    const pods = podConnector(async (pod) => {
      dialled.push(pod);
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    });
    return { ...(await fixture({ pods, ...options }, 8080)), dialled };
  }

  const PROXY = '/api/v1/namespaces/default/pods/p:81/proxy';

  it('passes any request on to a port of a pod, and its answer back', async () => {
    const { ask, dialled } = await proxied(createServer(echo));
    const { status, text, answer } = await ask('PATCH', `${PROXY}/a%20b/proxy/c?d=e&f`, {
      headers: {
        authorization: 'Bearer secret',
        'impersonate-user': 'x',
        'impersonate-group': 'system:masters',
        'x-mine': '1',
        te: 'x',
      },
      body: { type: 'bytes', bytes: Buffer.from('body') },
    });
    expect([status, text]).toEqual([201, 'PATCH /a%20b/proxy/c?d=e&f body']);
    expect(answer.headers['x-host']).toBe('10.1.1.1:81');
    expect(String(answer.headers['x-seen']).split(' ').sort()).toEqual([
      'connection',
      'content-length',
      'host',
      'x-mine',
    ]);
    const place = { namespace: 'default', pod: 'p', node: 'n', ip: '10.1.1.1' };
    expect(dialled).toEqual([{ ...place, port: 81, isSecure: false }]);
  });

  it('asks for the page that admission wants, and finds its way in a namespace called proxy', async () => {
    const reviews: string[] = [];
    const call: WebhookCaller['call'] = async ({ review }) => {
      const { request, ...kind } = review as { request: { uid: string; object: object } };
      reviews.push(JSON.stringify(request.object));
      const operations = [{ op: 'replace', path: '/path', value: '/safe page' }];
      const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
      const response = { uid: request.uid, allowed: true, patchType: 'JSONPatch', patch };
      const body = Buffer.from(JSON.stringify({ ...kind, response }));
      return { status: 200, contentType: 'application/json', body, durationMs: 1 };
    };
    const { ask, server } = await proxied(createServer(echo), { webhooks: { call } });
    const place = '/api/v1/namespaces/proxy/pods/p:81/proxy';
    const create = (target: string, value: object): Promise<ApiResponse> =>
      server.send({ method: 'POST', target, headers: {}, body: { type: 'value', value } });
    await create('/api/v1/namespaces', { metadata: { name: 'proxy' } });
    const spec = { nodeName: 'n', containers: [{ name: 'main', image: 'x' }] };
    await create('/api/v1/namespaces/proxy/pods', { metadata: { name: 'p' }, spec });
    const value = { status: { podIP: '10.1.1.9', podIPs: [{ ip: '10.1.1.9' }] } };
    const headers = { 'content-type': 'application/merge-patch+json' };
    const target = '/api/v1/namespaces/proxy/pods/p/status';
    await server.send({ method: 'PATCH', target, headers, body: { type: 'value', value } });
    expect(await ask('GET', `${place}/page?a=b`)).toMatchObject({ text: 'GET /page?a=b ' });
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CONNECT'], resources: ['pods/proxy'] }];
    const webhook = { name: 'a.example.com', clientConfig: { url: 'https://127.0.0.1:1/' }, rules };
    const webhooks = [{ ...webhook, sideEffects: 'None', admissionReviewVersions: ['v1'] }];
    const configurations = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
    expect(await create(configurations, { metadata: { name: 'conf' }, webhooks })).toMatchObject({ status: 201 });
    expect(await ask('GET', `${place}/page?a=b`)).toMatchObject({ text: 'GET /safe%20page?a=b ' });
    expect(reviews).toEqual(['{"kind":"PodProxyOptions","apiVersion":"v1","path":"/page"}']);
  });

  it('chooses the first declared port, and redirects to the root', async () => {
    const { ask, dialled } = await proxied(createServer(echo));
    const root = PROXY.replace(':81', '');
    expect(await ask('GET', `${root}/`)).toMatchObject({ text: 'GET / ' });
    expect(dialled[0]?.port).toBe(8080);
    const { status, answer } = await ask('GET', `${root}?a=b`);
    expect([status, answer.headers['location']]).toEqual([301, `${root}/?a=b`]);
    expect(await ask('POST', root)).toMatchObject({ text: 'POST / ' });
  });

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('passes on %s', async (method) => {
    const { ask } = await proxied(createServer(echo));
    const { status, text } = await ask(method, `${PROXY}/x?watch=true`);
    expect([status, text]).toEqual([201, method === 'HEAD' ? '' : `${method} /x?watch=true `]);
  });

  it('may take its time, and has its own idea of what that is', async () => {
    let answer: (text: string) => void = () => {};
    const { ask, clock } = await proxied(createServer((_request, response) => (answer = (text) => response.end(text))));
    const asked = ask('GET', `${PROXY}/?timeout=soon`);
    const before = answer;
    await expect.poll(() => answer !== before).toBe(true);
    clock.advance(3_600_000);
    answer('at last');
    expect(await asked).toMatchObject({ status: 200, text: 'at last' });
  });

  it('lets go of the pod also when it has nothing new to say', async () => {
    let open = 0;
    const page = createServer((_request, response) => response.writeHead(304).end());
    page.on('connection', (socket) => {
      open += 1;
      socket.on('close', () => (open -= 1));
    });
    const { ask } = await proxied(page);
    expect(await ask('GET', `${PROXY}/`)).toMatchObject({ status: 304, text: '' });
    await expect.poll(() => open).toBe(0);
  });

  it('speaks TLS where it is asked to', async () => {
    const { cert, key } = testCertificates.server;
    const { ask } = await proxied(createTlsServer({ cert, key }, echo) as unknown as Server);
    expect(await ask('GET', PROXY.replace('p:81', 'https:p:443') + '/x')).toMatchObject({ text: 'GET /x ' });
  });

  it('streams bodies both ways', async () => {
    const { ask } = await proxied(createServer((request, response) => request.pipe(response)));
    async function* read(): AsyncGenerator<Uint8Array> {
      for (let count = 0; count < 5; count += 1) yield Buffer.from(`${count} `);
    }
    expect(await ask('POST', `${PROXY}/`, { body: { type: 'stream', read } })).toMatchObject({ text: '0 1 2 3 4 ' });
  });

  it('passes on what goes on in another protocol', async () => {
    const page = createServer();
    page.on('upgrade', (request, socket) => {
      socket.resume().on('end', () => socket.destroy());
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${request.headers.upgrade}\r\nConnection: Upgrade\r\n\r\nhi`,
      );
    });
    const { server } = await proxied(page);
    const answer = await server.send({
      method: 'GET',
      target: `${PROXY}/ws`,
      headers: { connection: 'upgrade', upgrade: 'x' },
    });
    expect([answer.status, answer.headers['upgrade']]).toEqual([101, 'x']);
    if (answer.body.type !== 'upgrade') throw new Error('no upgrade');
    expect(String(await once(answer.body.connection, 'data'))).toBe('hi');
    answer.body.connection.destroy();
  });

  it('reaches a pod behind a service, by number or name of its port, and nothing else', async () => {
    const { server, ask, dialled } = await proxied(createServer(echo));
    const create = async (collection: string, value: object): Promise<void> => {
      const target = `/api/v1/namespaces/default/${collection}`;
      expect((await server.send({ method: 'POST', target, headers: {}, body: { type: 'value', value } })).status).toBe(
        201,
      );
    };
    const metadata = { name: 's' };
    await create('services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { ports: [{ name: 'web', port: 80 }] },
    });
    await create('endpoints', {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata,
      subsets: [
        {
          addresses: [
            { ip: '10.1.1.1', targetRef: { kind: 'Pod', namespace: 'default', name: 'p' } },
            // Neither of these is a pod here, whatever they say.
            { ip: '10.9.9.9', targetRef: { kind: 'Pod', namespace: 'default', name: 'p' } },
            { ip: '10.9.9.8' },
          ],
          ports: [{ name: 'web', port: 8443 }],
        },
      ],
    });
    const PATH = '/api/v1/namespaces/default/services';
    for (const name of ['s:80', 's:web', 'http:s:web']) {
      expect(await ask('GET', `${PATH}/${name}/proxy/x`)).toMatchObject({ status: 201, text: 'GET /x ' });
    }
    expect(new Set(dialled.map(({ ip, port }) => `${ip}:${port}`))).toEqual(new Set(['10.1.1.1:8443']));
    const refusals = {
      's:81': 'no service port 81 found for service "s"',
      s: 'no endpoints available for service "s"',
    };
    for (const [name, message] of Object.entries(refusals)) {
      const { status, text } = await ask('GET', `${PATH}/${name}/proxy/x`);
      expect([status, (JSON.parse(text) as { message: string }).message]).toEqual([503, message]);
    }
  });

  it('reports a pod that cannot be reached', async () => {
    const pods = podConnector(() => Promise.reject(new Error('no route')));
    const { ask } = await fixture({ pods });
    const { status, text } = await ask('GET', `${PROXY}/`);
    expect([status, (JSON.parse(text) as { message: string }).message]).toEqual([
      503,
      'error trying to reach service: no route',
    ]);
  });
});
