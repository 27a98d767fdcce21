import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@capstan/kube';
import { waitUntil, waitUntilSteady } from '@capstan/kube/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { ScriptedNode } from '../../testing/scripted-node.js';
import type { ExecCall, NodeStreams } from '../streams.js';
import { TestedKubelet, textOf, type CALLERS } from './testing-client.js';

const EXEC = '/exec/ns/p/c?output=1&error=1&command=';
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(streams?: NodeStreams): Promise<TestedKubelet> {
  const kubelet = await TestedKubelet.serve(streams);
  closers.push(() => kubelet.server.close());
  return kubelet;
}

function gone(stream: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => stream.once('close', resolve));
}

const LIMITS = { clock: systemClock(), limitMs: 5_000, everyMs: 5 };

describe('who may ask a kubelet', () => {
  const forbidden = 'Forbidden (user=mallory, verb=get, resource=nodes, subresource(s)=[proxy])';
  const table: readonly [keyof typeof CALLERS, number, string][] = [
    ['apiServer', 200, 'ok'],
    ['administrator', 200, 'ok'],
    ['stranger', 403, forbidden],
    ['forger', 401, 'Unauthorized'],
    ['nobody', 401, 'Unauthorized'],
  ];

  it.each(table)('%s gets %d', async (caller, status, text) => {
    const kubelet = await serve();
    expect(await kubelet.text('/healthz', { caller })).toEqual([status, text]);
    if (status === 200) return;
    expect((await kubelet.text('/containerLogs/ns/p/c', { caller }))[0]).toBe(status);
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io' };
    const { response, connection } = await kubelet.ask(`${EXEC}echo`, { caller, headers });
    expect([response.statusCode, await textOf(response), connection]).toEqual([status, text, undefined]);
  });
});

describe('paths of a kubelet', () => {
  const table: readonly [string, number, string][] = [
    ['/containerLogs/ns/p/c', 200, 'one\ntwo\nthree\n'],
    ['/containerLogs/ns/p/c?tailLines=2&timestamps=true', 200, `${stamped('two')}${stamped('three')}`],
    ['/containerLogs/ns/p/c?limitBytes=5', 200, 'one\nt'],
    ['/containerLogs/ns/p/c?tailLines=x', 400, '{"message": "Unable to decode query."}'],
    ['/containerLogs/ns/p/c?stream=Both', 400, '{"message": "Unable to decode query."}'],
    ['/containerLogs/ns/p/c?previous=true', 400, 'previous terminated container "c" in pod "p" not found'],
    ['/containerLogs/ns/p/missing', 404, 'container "missing" not found in pod'],
    ['/containerLogs/ns/p', 404, '404 page not found\n'],
    ['/containerLogs/%zz/p/c', 404, '404 page not found\n'],
    ['/pods', 404, '404 page not found\n'],
    [`${EXEC}date`, 400, 'unable to upgrade: missing upgrade headers in request'],
  ];

  it.each(table)('%s answers %d', async (path, status, text) => {
    const kubelet = await serve();
    expect(await kubelet.text(path)).toEqual([status, text]);
  });

  it('follow a log until it is over, and leave when the client does', async () => {
    const node = new ScriptedNode();
    const kubelet = await serve(node);
    const { response } = await kubelet.ask('/containerLogs/ns/p/c?follow=true');
    const text = textOf(response);
    node.say('ns/p', 'four');
    node.endLogs('ns/p');
    expect(await text).toBe('one\ntwo\nthree\nfour\n');
    const second = await kubelet.ask('/containerLogs/ns/p/c?follow=true');
    expect(node.followers('ns/p')).toBe(1);
    second.response.destroy();
    await waitUntil('nobody follows the log', () => node.followers('ns/p') === 0, LIMITS);
  });
});

function stamped(line: string): string {
  return `2026-01-01T00:00:00.000000000Z ${line}\n`;
}

describe('commands over SPDY', () => {
  it('send output, errors and the exit code, and close the connection', async () => {
    const client = await (await serve()).spdy(`${EXEC}complain&command=of+this`);
    const [error, stdout, stderr] = ['error', 'stdout', 'stderr'].map((type) => client.open(type));
    const texts = await Promise.all([stdout, stderr, error].map((stream) => textOf(stream as NodeJS.ReadableStream)));
    expect(texts.slice(0, 2)).toEqual(['', 'of this\n']);
    expect(JSON.parse(texts[2] ?? '')).toEqual({
      metadata: {},
      status: 'Failure',
      message: 'command terminated with non-zero exit code: error executing command [complain of this], exit code 1',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '1' }] },
    });
    await client.connection.closed;
  });

  it('read input until the client has no more', async () => {
    const client = await (await serve()).spdy('/exec/ns/p/uid/c?input=1&output=1&command=cat');
    const [error, stdin, stdout] = ['error', 'stdin', 'stdout'].map((type) => client.open(type));
    stdin?.write('a');
    stdin?.end('b');
    expect(await Promise.all([stdout, error].map((stream) => textOf(stream as NodeJS.ReadableStream)))).toEqual([
      'ab',
      '{"metadata":{},"status":"Success"}',
    ]);
  });

  it('receive the terminal and its sizes', async () => {
    const client = await (await serve()).spdy('/exec/ns/p/c?output=1&error=1&tty=1&command=size&command=3');
    const [error, stdout, resize] = ['error', 'stdout', 'resize'].map((type) => client.open(type));
    resize?.write('{"Width":1,"Height":2}\n{"Wid');
    resize?.write('th":3,"Height":4}\n');
    const texts = [stdout, error].map((stream) => textOf(stream as NodeJS.ReadableStream));
    expect(await Promise.all(texts)).toEqual(['tty true\n1x2\n3x4\n', '{"metadata":{},"status":"Success"}']);
  });

  it('speak the oldest protocols: failures are text, success is silence', async () => {
    const kubelet = await serve();
    for (const [command, text] of [
      ['exit&command=3', 'command terminated with non-zero exit code: error executing command [exit 3], exit code 3'],
      ['exit&command=0', ''],
    ] as const) {
      const client = await kubelet.spdy(`${EXEC}${command}`, 'channel.k8s.io');
      expect(client.protocol).toBe('channel.k8s.io');
      const [error] = ['error', 'stdout', 'stderr'].map((type) => client.open(type));
      expect(await textOf(error as NodeJS.ReadableStream)).toBe(text);
    }
  });

  it('cannot run where there is no container', async () => {
    const client = await (
      await serve()
    ).spdy('/exec/ns/p/missing?output=1&command=x', 'v9.channel.k8s.io, v5.channel.k8s.io');
    expect(client.protocol).toBe('v5.channel.k8s.io');
    const [error] = ['error', 'stdout'].map((type) => client.open(type));
    expect(JSON.parse(await textOf(error as NodeJS.ReadableStream))).toMatchObject({
      message: 'Internal error occurred: container not found ("missing")',
      code: 500,
    });
  });

  it('are refused without a protocol in common, and without any stream', async () => {
    const kubelet = await serve();
    await expect(kubelet.spdy(`${EXEC}x`, 'v9.channel.k8s.io')).rejects.toThrow(
      '403 unable to upgrade: unable to negotiate protocol: client supports [v9.channel.k8s.io], server accepts [v5.channel.k8s.io v4.channel.k8s.io v3.channel.k8s.io v2.channel.k8s.io channel.k8s.io]',
    );
    await expect(kubelet.spdy('/exec/ns/p/c?command=x')).rejects.toThrow(
      '400 you must specify at least 1 of stdin, stdout, stderr',
    );
  });

  it('learn that their client left', async () => {
    const node = new ScriptedNode();
    const client = await (await serve(node)).spdy(`${EXEC}wait`);
    const [, stdout] = ['error', 'stdout', 'stderr'].map((type) => client.open(type));
    await once(stdout as NodeJS.EventEmitter, 'data');
    expect(node.left('ns/p')).toEqual([]);
    client.wire.destroy();
    await waitUntil('the command is left', () => node.left('ns/p').length === 1, LIMITS);
  });

  it('wait for a client that does not read', async () => {
    let written = 0;
    const streams: NodeStreams = {
      ...new ScriptedNode(),
      logs: () => Promise.reject(new Error('no logs')),
      attach: () => Promise.resolve(0),
      dial: () => Promise.reject(new Error('no network')),
      async exec(_target, { stdout }: ExecCall) {
        const piece = Buffer.alloc(1_000_000);
        while (written < 50_000_000) {
          written += piece.length;
          if (stdout?.write(piece) === false) await once(stdout, 'drain');
        }
        return 0;
      },
    };
    const client = await (await serve(streams)).spdy('/exec/ns/p/c?output=1&command=x');
    const [error, stdout] = ['error', 'stdout'].map((type) => client.open(type));
    await waitUntil('something is written', () => written > 0, LIMITS);
    // What fits into the buffers of two processes' sockets is on its way; the rest is not written.
    const steady = await waitUntilSteady('bytes written', () => written, { ...LIMITS, everyMs: 50 });
    expect(steady).toBeLessThan(20_000_000);
    let size = 0;
    stdout?.on('data', (piece: Buffer) => (size += piece.length));
    error?.resume();
    await once(stdout as NodeJS.EventEmitter, 'end');
    expect(size).toBe(50_000_000);
  });
});

describe('port-forward over SPDY', () => {
  async function page(): Promise<number> {
    const server = createServer((request, response) => response.end(`${request.method} ${request.url}`));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))));
    return (server.address() as AddressInfo).port;
  }

  const REQUEST = 'GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

  it.each([
    ['numbered', { requestid: '7' }],
    ['of old clients', {}],
  ])('carries connections %s', async (_name, more) => {
    const kubelet = await serve(new ScriptedNode(new Map([[80, await page()]])));
    const client = await kubelet.spdy('/portForward/ns/p', 'portforward.k8s.io');
    const error = client.open('error', { port: '80', ...more });
    error.end();
    const data = client.open('data', { port: '80', ...more });
    data.write(REQUEST);
    const texts = await Promise.all([textOf(data), textOf(error)]);
    expect(texts[0]).toMatch(/GET \/x$/);
    expect(texts[1]).toBe('');
    client.connection.close();
  });

  it('loses nothing of what a pod sends before it closes the connection', async () => {
    const kubelet = await serve(new ScriptedNode(new Map([[80, await page()]])));
    const client = await kubelet.spdy('/portForward/ns/p', 'portforward.k8s.io');
    for (let at = 0; at < 100; at += 1) {
      const numbered = { port: '80', requestid: String(at) };
      client.open('error', numbered).end();
      const data = client.open('data', numbered);
      data.write(REQUEST);
      expect(await textOf(data)).toMatch(/GET \/x$/);
    }
    client.connection.close();
  });

  it('complains where nothing listens, and refuses what is no port', async () => {
    const kubelet = await serve();
    const client = await kubelet.spdy('/portForward/ns/p', 'portforward.k8s.io');
    const error = client.open('error', { port: '81', requestid: '0' });
    const data = client.open('data', { port: '81', requestid: '0' });
    const lost = gone(data);
    expect(await textOf(error)).toBe('error forwarding port 81 to pod p, uid : nothing listens on port 81 of p');
    await lost;
    for (const [type, port] of [
      ['data', '0'],
      ['data', '70000'],
      ['data', 'http'],
      ['stdin', '80'],
    ] as const) {
      const refused = client.open(type, { port });
      await gone(refused);
      expect(refused.errored?.message).toBe('the peer reset the stream');
    }
    client.connection.close();
  });
});
