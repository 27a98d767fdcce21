import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { createCa } from '../certs/certificates.js';
import { silentLogger } from '../runtime/logger.js';
import { EndpointServer } from './endpoint-server.js';

const DRIP_MS = 20;
let stopped = new AbortController();
let served: Promise<void> | undefined;

/** A server as webhooks have it, with TLS, or as metrics and probes have it. */
async function serve(kind: 'webhooks' | 'metrics'): Promise<{ open: () => Promise<Socket>; answered: () => number }> {
  stopped = new AbortController();
  const pair = createCa({ commonName: 'test' }).issueServing({ commonName: 'x', ipAddresses: ['127.0.0.1'] });
  const certificate = kind === 'webhooks' ? { current: pair, onChange: () => {} } : undefined;
  const limits = { headersMs: 200, requestMs: 300, idleMs: 150 };
  const server = new EndpointServer({ name: kind, port: 0, certificate, logger: silentLogger(), ...limits });
  let answered = 0;
  server.route('/page', () => {
    answered += 1;
    return { status: 200, body: 'x'.repeat(32 * 1024 * 1024) };
  });
  served = server.run(stopped.signal);
  const port = Number(new URL(await server.ready()).port);
  const open = async (): Promise<Socket> => {
    const socket =
      certificate === undefined
        ? connect(port, '127.0.0.1')
        : connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    socket.on('error', () => {});
    await once(socket, certificate === undefined ? 'connect' : 'secureConnect');
    return socket;
  };
  return { open, answered: () => answered };
}

afterEach(async () => {
  stopped.abort();
  await served;
});

/** Sends a byte now and then, for as long as the other side listens; returns its response. */
async function drip(socket: Socket, byte: string): Promise<string> {
  let response = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (response += piece));
  const timer = setInterval(() => socket.write(byte), DRIP_MS);
  // It may only hang up on its side; who drips is gone then, too.
  socket.once('end', () => clearInterval(timer));
  await once(socket, 'close');
  clearInterval(timer);
  return response;
}

describe.each(['webhooks', 'metrics'] as const)('a server of %s', (kind) => {
  it('does not wait for ever for the head of a request that drips', async () => {
    const { open, answered } = await serve(kind);
    const socket = await open();
    socket.write('GET /page HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const response = await drip(socket, 'a');
    expect(response).toMatch(/^HTTP\/1\.1 408 /);
    expect(answered()).toBe(0);
  });

  it('does not wait for ever for a body that drips', async () => {
    const { open, answered } = await serve(kind);
    const socket = await open();
    socket.write('POST /page HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n');
    const response = await drip(socket, 'a');
    expect(response).toMatch(/^(HTTP\/1\.1 408 |$)/);
    expect(answered()).toBe(0);
  });

  it('does not wait for ever for a reader that takes nothing', async () => {
    const { open, answered } = await serve(kind);
    const socket = await open();
    socket.pause();
    socket.write('GET /page HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(answered).toBe(1);
    // The cut shows once what the kernel holds has been read.
    await new Promise((resolve) => setTimeout(resolve, 500));
    let size = 0;
    socket.on('data', (piece: Buffer) => (size += piece.length)).resume();
    await once(socket, 'close');
    expect(size).toBeLessThan(32 * 1024 * 1024);
  });
});
