import { once } from 'node:events';
import { systemClock } from '@capstan/kube';
import { waitUntilSteady } from '@capstan/kube/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ScriptedNode } from '../../testing/scripted-node.js';
import type { NodeStreams } from '../streams.js';
import { duplexPair } from './spdy/testing-pair.js';
import { SpdyClient, TestedKubelet, textOf } from './testing-client.js';

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function connect(path: string, protocols: string[], streams?: NodeStreams): Promise<WebSocket> {
  const kubelet = await TestedKubelet.serve(streams);
  closers.push(() => kubelet.server.close());
  return new WebSocket(`wss://127.0.0.1:${kubelet.server.port}${path}`, protocols, kubelet.identity());
}

/** Everything each channel sent, until the connection was closed. */
async function conversation(socket: WebSocket): Promise<{ channels: Record<number, string>; code: number }> {
  const channels: Record<number, string> = {};
  socket.on('message', (message: Buffer, isBinary) => {
    const channel = isBinary ? (message[0] ?? 255) : Number(message.toString().slice(0, 1));
    const text = isBinary
      ? message.subarray(1).toString()
      : Buffer.from(message.toString().slice(1), 'base64').toString();
    channels[channel] = (channels[channel] ?? '') + text;
  });
  const [code] = (await once(socket, 'close')) as [number];
  return { channels, code };
}

const SUCCESS = '{"metadata":{},"status":"Success"}';

describe('commands over WebSocket', () => {
  it('end when the client closes its input, from the fifth protocol on', async () => {
    const socket = await connect('/exec/ns/p/c?input=1&output=1&command=cat', ['v5.channel.k8s.io']);
    const result = conversation(socket);
    await once(socket, 'open');
    expect(socket.protocol).toBe('v5.channel.k8s.io');
    socket.send(Buffer.from('\0hello '));
    socket.send(Buffer.from('\0there'));
    socket.send(Buffer.of(255, 0));
    expect(await result).toEqual({ channels: { 1: 'hello there', 3: SUCCESS }, code: 1000 });
  });

  it('send errors and exit codes', async () => {
    const socket = await connect('/exec/ns/p/c?output=1&error=1&command=complain&command=x', ['v4.channel.k8s.io']);
    const { channels } = await conversation(socket);
    expect(channels[2]).toBe('x\n');
    expect(JSON.parse(channels[3] ?? '')).toMatchObject({ reason: 'NonZeroExitCode' });
  });

  it('speak base64 to those who cannot do better', async () => {
    const socket = await connect('/exec/ns/p/c?output=1&command=echo&command=hi', ['v4.base64.channel.k8s.io']);
    expect(await conversation(socket)).toEqual({ channels: { 1: 'hi\n', 3: SUCCESS }, code: 1000 });
  });

  it('say nothing of success to those who name no protocol', async () => {
    const socket = await connect('/exec/ns/p/c?output=1&command=echo&command=hi', []);
    expect(await conversation(socket)).toEqual({ channels: { 1: 'hi\n' }, code: 1000 });
  });

  it('receive the size of the terminal', async () => {
    const socket = await connect('/exec/ns/p/c?output=1&tty=1&command=size&command=8', ['v5.channel.k8s.io']);
    const result = conversation(socket);
    await once(socket, 'open');
    socket.send(Buffer.from('\x04{"Width":8,"Height":6}'));
    expect((await result).channels[1]).toBe('tty true\n8x6\n');
  });

  it('take input no faster than the program does', async () => {
    let release: () => void = () => {};
    let size = 0;
    const streams: NodeStreams = {
      logs: () => Promise.reject(new Error('no logs')),
      attach: () => Promise.resolve(0),
      dial: () => Promise.reject(new Error('no network')),
      async exec(_target, { stdin }) {
        await new Promise<void>((resolve) => (release = resolve));
        for await (const piece of stdin ?? []) size += (piece as Buffer).length;
        return 0;
      },
    };
    const socket = await connect('/exec/ns/p/c?input=1&command=x', ['v5.channel.k8s.io'], streams);
    const over = once(socket, 'close');
    await once(socket, 'open');
    const message = Buffer.alloc(100_001);
    for (let count = 0; count < 300; count += 1) socket.send(message);
    socket.send(Buffer.of(255, 0));
    // The rest waits on the client's side.
    const limits = { clock: systemClock(), limitMs: 10_000, everyMs: 50 };
    expect(await waitUntilSteady('bytes buffered', () => socket.bufferedAmount, limits)).toBeGreaterThan(1_000_000);
    release();
    await over;
    expect(size).toBe(30_000_000);
  });

  it('are refused where there is no protocol in common', async () => {
    const socket = await connect('/exec/ns/p/c?output=1&command=x', ['v9.channel.k8s.io']);
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toBe('Unexpected server response: 400');
  });

  it('learn that their client left', async () => {
    const node = new ScriptedNode();
    const socket = await connect('/exec/ns/p/c?output=1&command=wait', ['v5.channel.k8s.io'], node);
    const closed = new Promise<void>((resolve) => {
      socket.on('message', (message: Buffer) => message.length > 1 && resolve());
    });
    await closed;
    socket.terminate();
    await expect.poll(() => node.left('ns/p')).toEqual(['wait']);
  });
});

/** The bytes of the messages in a stream of short, whole frames. */
class Messages {
  #left: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): Buffer[] {
    this.#left = Buffer.concat([this.#left, chunk]);
    const found: Buffer[] = [];
    while (this.#left.length >= 2 && this.#left.length >= 2 + (this.#left[1] ?? 0)) {
      const end = 2 + (this.#left[1] ?? 0);
      found.push(this.#left.subarray(2, end));
      this.#left = this.#left.subarray(end);
    }
    return found;
  }
}

/** A short binary message as clients send it; a mask of zeros changes nothing. */
function masked(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0x82, 0x80 | bytes.length, 0, 0, 0, 0), bytes]);
}

describe('port-forward over WebSocket', () => {
  it('is SPDY within messages', async () => {
    const kubelet = await TestedKubelet.serve();
    closers.push(() => kubelet.server.close());
    // The library would not offer a protocol with a slash in its name, so the client is ours.
    const { response, connection } = await kubelet.ask('/portForward/ns/p', {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        'sec-websocket-protocol': 'SPDY/3.1+portforward.k8s.io',
      },
    });
    expect(response.headers['sec-websocket-protocol']).toBe('SPDY/3.1+portforward.k8s.io');
    const [end, wire] = duplexPair();
    const messages = new Messages();
    connection?.on('data', (chunk: Buffer) => messages.push(chunk).forEach((bytes) => wire.write(bytes)));
    wire.on('data', (bytes: Buffer) => connection?.write(masked(bytes)));
    const client = new SpdyClient(end, '');
    const error = client.open('error', { port: '81', requestid: '0' });
    client.open('data', { port: '81', requestid: '0' });
    expect(await textOf(error)).toContain('nothing listens on port 81 of p');
    connection?.destroy();
  });

  it('is refused to those who name no protocol', async () => {
    const socket = await connect('/portForward/ns/p', []);
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toBe('Unexpected server response: 400');
  });
});
