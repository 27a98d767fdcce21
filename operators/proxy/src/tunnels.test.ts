import { createServer } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, until } from './testing/ask.js';
import { testCa, connectionTo, rawClient, serveRaw, proxyInFrontOf } from './testing/fixture.js';
import type { Fixture, Upstream } from './testing/fixture.js';

const EXEC = '/api/v1/namespaces/n/pods/p/exec?command=sh';
const GROUPS = 'cluster.x-k8s.io/v1beta2 cluster.hypershift.openshift.io';

let fixture: Fixture | undefined;
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});

function asking(target: string, more = ''): string {
  return `POST ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\nAuthorization: Bearer theirs\r\n${more}\r\n`;
}

/** A scripted server that changes the protocol. */
async function upgrading(speak: (socket: Socket, request: IncomingMessage, early: Buffer) => void): Promise<Upstream> {
  const { certPem: cert, keyPem: key } = testCa().issueServing({
    commonName: 'x',
    dnsNames: [],
    ipAddresses: ['127.0.0.1'],
  });
  const server = createServer({ cert, key });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, early: Buffer) => {
    socket.on('error', () => {});
    speak(socket, request, early);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { url: `https://127.0.0.1:${port}`, port, sockets, close };
}

const SWITCH =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n\r\n';

describe('A tunnel', () => {
  it('passes bytes both ways as they are, those that came early too', async () => {
    let asked: IncomingMessage | undefined;
    const upstream = await upgrading((socket, request, early) => {
      asked = request;
      socket.write(`${SWITCH}welcome to ${GROUPS};`);
      if (early.length > 0) socket.write(early);
      socket.pipe(socket);
    });
    fixture = await proxyInFrontOf(upstream);
    const client = rawClient(fixture.proxy.url, `${asking(EXEC)}early ${GROUPS};`);
    await client.sees(/early [^;]*;/);
    client.socket.write(`later ${GROUPS};`);
    const text = await client.sees(/later [^;]*;/);
    const [head, body] = text.split('\r\n\r\n');
    expect(body).toBe(`welcome to ${GROUPS};early ${GROUPS};later ${GROUPS};`);
    expect(head?.split('\r\n').toSorted()).toEqual([
      'HTTP/1.1 101 Switching Protocols',
      'connection: Upgrade',
      'upgrade: SPDY/3.1',
      'x-stream-protocol-version: v4.channel.k8s.io',
    ]);
    expect(asked?.url).toBe(EXEC);
    expect(asked?.headers).toMatchObject({
      authorization: 'Bearer of-the-proxy',
      upgrade: 'SPDY/3.1',
      connection: 'Upgrade',
    });
    client.socket.destroy();
    await until(() => upstream.sockets.size === 0);
  });

  it('ends each direction by itself: a client that has ended its side still receives the rest', async () => {
    const upstream = await upgrading((socket) => {
      socket.write(SWITCH);
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('end', () => socket.end(`you sent ${text}`));
    });
    fixture = await proxyInFrontOf(upstream);
    const client = rawClient(fixture.proxy.url, asking(EXEC));
    await client.sees(/101 Switching/);
    client.socket.end('goodbye');
    expect(await client.over).toBe('ended');
    expect(client.text()).toMatch(/you sent goodbye$/);
  });

  it('of a WebSocket hides a token that the client sent among its protocols', async () => {
    let protocols: string | undefined;
    const upstream = await upgrading((socket, request) => {
      protocols = request.headers['sec-websocket-protocol'];
      socket.end(SWITCH.replace('SPDY/3.1', 'websocket'));
    });
    fixture = await proxyInFrontOf(upstream);
    const client = rawClient(
      fixture.proxy.url,
      `GET ${EXEC} HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: v5.channel.k8s.io, base64url.bearer.authorization.k8s.io.dG9rZW4\r\n\r\n`,
    );
    await client.sees(/101 Switching/);
    expect(protocols).toBe('v5.channel.k8s.io');
  });

  it('that the server refuses is answered with its refusal', async () => {
    const body = '{"kind":"Status","code":403}';
    fixture = await proxyInFrontOf(
      await serveRaw((socket) =>
        socket.once('data', () =>
          socket.write(
            `HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          ),
        ),
      ),
    );
    const client = rawClient(fixture.proxy.url, asking(EXEC));
    expect(await client.over).toBe('ended');
    expect(client.text()).toBe(
      `HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    );
  });

  it('that the server breaks is broken for the client', async () => {
    const upstream = await upgrading((socket) => {
      socket.write(SWITCH);
      setTimeout(() => socket.destroy(), 20);
    });
    fixture = await proxyInFrontOf(upstream);
    const client = rawClient(fixture.proxy.url, asking(EXEC));
    await client.sees(/101 Switching/);
    await client.over;
    await until(() => upstream.sockets.size === 0);
  });

  it('to a server that is away is answered with a Status', async () => {
    const upstream = await upgrading(() => {});
    fixture = await proxyInFrontOf(upstream, { connection: connectionTo(upstream) });
    await upstream.close();
    expect(await rawClient(fixture.proxy.url, asking(EXEC)).sees(/"code":503/)).toMatch(
      /^HTTP\/1.1 503 Service Unavailable\r\n/,
    );
  });

  it.each([
    ['with a body', asking(EXEC, 'Content-Length: 3\r\n'), 400],
    ['under another name', asking(EXEC).replace('localhost', 'evil.example'), 403],
    ['on behalf of another', asking(EXEC, 'Impersonate-User: x\r\n'), 403],
    ['to an object that is translated', asking('/apis/cluster.x-k8s.io/v1beta2/namespaces/n/machines/m'), 400],
  ])('%s is refused', async (_name, text, code) => {
    fixture = await proxyInFrontOf(await upgrading((socket) => socket.end(SWITCH)));
    expect(await rawClient(fixture.proxy.url, text).sees(new RegExp(`"code":${code}`))).toMatch(
      new RegExp(`^HTTP/1.1 ${code} `),
    );
  });

  it('is counted when it begins', async () => {
    const upstream = await upgrading((socket) => socket.write(SWITCH));
    fixture = await proxyInFrontOf(upstream);
    const client = rawClient(fixture.proxy.url, asking(EXEC));
    await client.sees(/101 Switching/);
    const { text } = await ask(`${fixture.proxy.healthUrl}/metrics`);
    expect(text).toContain('hypershift_api_proxy_requests_total{method="POST",resource="other",code="101"} 1\n');
    expect(text).toContain('hypershift_api_proxy_requests_open 1\n');
    client.socket.destroy();
  });
});
