import { createServer as createPlainServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { testCertificates } from '../../http/testing-certificates.js';
import type { WebhookAnswer, WebhookCall, WebhookClientConfig } from '../call.js';
import { HttpsCaller } from './https-caller.js';

const caBundle = Buffer.from(testCertificates.ca).toString('base64');
const strangeBundle = Buffer.from(testCertificates.stranger.cert).toString('base64');
const nobody = (): string => 'service "hooks" not found';

let closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers) close();
  closers = [];
});

async function listening(server: TcpServer | Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A webhook over TLS. */
async function webhook(handle: Handler): Promise<{ port: number; server: Server }> {
  const { cert, key } = testCertificates.server;
  const server = createServer({ cert, key }, (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => handle(request, response, body));
  });
  closers.push(() => server.closeAllConnections());
  return { port: await listening(server), server };
}

function caller(options: ConstructorParameters<typeof HttpsCaller>[0] = {}): HttpsCaller {
  const made = new HttpsCaller(options);
  closers.push(() => made.close());
  return made;
}

function callTo(client: WebhookClientConfig, fields: Partial<WebhookCall> = {}): WebhookCall {
  return {
    client: { caBundle, ...client },
    review: { kind: 'Review' },
    timeoutMs: 9_500,
    sendsTimeout: true,
    ...fields,
  };
}

function errorOf(answer: WebhookAnswer): string {
  return 'error' in answer ? answer.error : `answered ${answer.status}`;
}

describe('the HTTPS caller', () => {
  it.each([
    [503, '0', 3],
    [429, '0', 3],
    [503, '', 1],
    [503, 'Sun, 15 Nov 2026 21:00:00 GMT', 1],
    [404, '0', 1],
  ])('comes back to who answers %i and Retry-After %s: asked %i times', async (status, retryAfter, asked) => {
    const bodies: string[] = [];
    const { port } = await webhook((_request, response, body) => {
      bodies.push(body);
      const isLate = bodies.length === 3;
      response.writeHead(isLate ? 200 : status, retryAfter === '' ? {} : { 'retry-after': retryAfter }).end('{}');
    });
    const answer = await caller().call(callTo({ url: `https://127.0.0.1:${port}/` }), nobody);
    expect(answer).toMatchObject({ status: asked === 3 ? 200 : status });
    expect(bodies).toEqual(Array.from({ length: asked }, () => '{"kind":"Review"}\n'));
  });

  it('comes back ten times, and not after its time is over', async () => {
    let asked = 0;
    let retryAfter = '0';
    const { port } = await webhook((_request, response) => {
      asked += 1;
      response.writeHead(503, { 'retry-after': retryAfter }).end('later');
    });
    const url = `https://127.0.0.1:${port}/`;
    expect(await caller().call(callTo({ url }), nobody)).toMatchObject({ status: 503 });
    expect(asked).toBe(11);
    retryAfter = '60';
    const late = await caller().call(callTo({ url }, { timeoutMs: 1000 }), nobody);
    expect(errorOf(late)).toBe(`Post "${url}?timeout=1s": context deadline exceeded`);
    expect(asked).toBe(12);
  });

  it('posts the review as the real server does', async () => {
    const seen: unknown[] = [];
    const { port } = await webhook((request, response, body) => {
      const { host, 'content-type': type, accept } = request.headers;
      seen.push({ method: request.method, url: request.url, host, type, accept, body });
      response.setHeader('content-type', 'application/json').end('{"a":1}');
    });
    const answer = await caller().call(callTo({ url: `https://127.0.0.1:${port}/a//b/` }), nobody);
    expect(seen).toEqual([
      {
        method: 'POST',
        url: '/a/b?timeout=10s',
        host: `127.0.0.1:${port}`,
        type: 'application/json',
        accept: 'application/json, */*',
        body: '{"kind":"Review"}\n',
      },
    ]);
    expect(answer).toMatchObject({ status: 200, contentType: 'application/json' });
    expect('body' in answer && Buffer.from(answer.body).toString()).toBe('{"a":1}');
  });

  it('keeps the connection for the next call', async () => {
    const ports = new Set<number | undefined>();
    const { port } = await webhook((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('{}');
    });
    const client = caller();
    for (let i = 0; i < 3; i += 1) await client.call(callTo({ url: `https://127.0.0.1:${port}/` }), nobody);
    expect(ports.size).toBe(1);
  });

  it('dials again when the kept connection was closed meanwhile', async () => {
    const { port, server } = await webhook((_request, response) => void response.end('{}'));
    const client = caller();
    await client.call(callTo({ url: `https://127.0.0.1:${port}/` }), nobody);
    server.closeAllConnections();
    const again = await client.call(callTo({ url: `https://127.0.0.1:${port}/` }), nobody);
    expect(again).toMatchObject({ status: 200 });
  });

  it('asks the resolver of the server where a Service is, and its own before', async () => {
    const names: (string | undefined)[] = [];
    const { port } = await webhook((request, response) => {
      names.push(request.headers.host);
      response.end('{}');
    });
    const service = { namespace: 'apps', name: 'hooks', path: 'validate' };
    const url = 'https://hooks.apps.svc:443/validate?timeout=10s';
    const wrongName = `Post "${url}": tls: failed to verify certificate: x509: certificate is valid for localhost, not hooks.apps.svc`;
    expect(errorOf(await caller().call(callTo({ service }), () => ({ host: '127.0.0.1', port })))).toBe(wrongName);
    const own = caller({ resolveService: () => ({ host: '127.0.0.1', port }) });
    expect(errorOf(await own.call(callTo({ service }), nobody))).toBe(wrongName);
    expect(errorOf(await caller().call(callTo({ service }), nobody))).toBe(`Post "${url}": service "hooks" not found`);
    expect(names).toEqual([]);
  });

  it('follows redirects with the same question, and without it where they say so', async () => {
    const seen: string[] = [];
    const { port } = await webhook(({ headers, method, url }, response, body) => {
      seen.push(
        `${method} ${url} ${headers['content-type'] ?? '-'} ${body.trim()} from ${headers.referer ?? 'nobody'}`,
      );
      if (url === '/other') response.writeHead(302, { location: `https://127.0.0.1:${port}/last?a=b` }).end();
      else response.writeHead(url === '/last?a=b' ? 200 : 307, { location: '/other' }).end('done');
    });
    const answer = await caller().call(callTo({ url: `https://127.0.0.1:${port}/first` }), nobody);
    expect(answer).toMatchObject({ status: 200, body: Buffer.from('done') });
    expect(seen.map((each) => each.replaceAll(String(port), 'PORT'))).toEqual([
      'POST /first?timeout=10s application/json {"kind":"Review"} from nobody',
      'POST /other application/json {"kind":"Review"} from https://127.0.0.1:PORT/first?timeout=10s',
      'GET /last?a=b -  from https://127.0.0.1:PORT/other',
    ]);
  });

  it('follows redirects to what is not secured, and does not tell it from where', async () => {
    const seen: unknown[] = [];
    const plain = createPlainServer(({ headers, method }, response) => {
      seen.push([method, headers.referer]);
      response.end('plainly');
    });
    const open = await listening(plain);
    closers.push(() => plain.closeAllConnections());
    const location = `http://127.0.0.1:${open}/open`;
    const { port } = await webhook((_request, response) => void response.writeHead(308, { location }).end());
    const answer = await caller().call(callTo({ url: `https://127.0.0.1:${port}/` }), nobody);
    expect(answer).toMatchObject({ status: 200, body: Buffer.from('plainly') });
    expect(seen).toEqual([['POST', undefined]]);
  });

  it('stops reading an answer that is too large', async () => {
    const { port } = await webhook((_request, response) => void response.end('x'.repeat(2_000)));
    const answer = await caller({ limits: { answerBytes: 1_000 } }).call(
      callTo({ url: `https://127.0.0.1:${port}/` }),
      nobody,
    );
    expect(errorOf(answer)).toBe(
      'unexpected error when reading response body. Please retry. Original error: the answer is larger than 1000 bytes',
    );
  });

  it('gives up at the time limit, before an answer and within one', async () => {
    const { port } = await webhook((request, response) => {
      if (request.url === '/begin?timeout=1s') response.writeHead(200).write('{');
    });
    const late = (path: string, timeoutMs: number): Promise<WebhookAnswer> =>
      caller().call(callTo({ url: `https://127.0.0.1:${port}/${path}` }, { timeoutMs }), nobody);
    expect(await late('never', 60)).toMatchObject({
      error: `Post "https://127.0.0.1:${port}/never?timeout=1s": context deadline exceeded`,
      isTimeout: true,
    });
    // Long enough for the answer to begin on a busy machine.
    expect(await late('begin', 1000)).toMatchObject({
      error: 'unexpected error when reading response body. Please retry. Original error: context deadline exceeded',
      isTimeout: true,
    });
  });

  it('reports what is wrong with the other side in the words of the real server', async () => {
    const { port } = await webhook((_request, response) => void response.end('{}'));
    const closing = await webhook((request) => void request.socket.destroy());
    const plain = await listening(createPlainServer((_request, response) => void response.end()));
    const mute = await listening(createTcpServer((socket) => void socket.destroy()));
    const text = async (client: WebhookClientConfig): Promise<string> =>
      errorOf(await caller().call(callTo(client, { sendsTimeout: false }), nobody));
    const at = (number: number): string => `https://127.0.0.1:${number}/`;
    const unknown = 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
    expect(await text({ url: 'https://127.0.0.1:1' })).toBe(
      'Post "https://127.0.0.1:1/": dial tcp 127.0.0.1:1: connect: connection refused',
    );
    expect(await text({ url: at(port), caBundle: strangeBundle })).toBe(`Post "${at(port)}": ${unknown}`);
    expect(await text({ url: at(port), caBundle: '' })).toBe(`Post "${at(port)}": ${unknown}`);
    expect(await text({ url: at(plain) })).toBe(`Post "${at(plain)}": http: server gave HTTP response to HTTPS client`);
    expect(await text({ url: at(mute) })).toBe(`Post "${at(mute)}": EOF`);
    expect(await text({ url: at(closing.port) })).toBe(`Post "${at(closing.port)}": EOF`);
  });
});
