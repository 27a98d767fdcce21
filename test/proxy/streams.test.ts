import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { SpdyConnection } from '@capstan/cluster/testing';
import { loadConnection, silentLogger } from '@capstan/kube';
import { mappingFrom, startProxy } from '@capstan/proxy';
import type { RunningProxy } from '@capstan/proxy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbedded } from '../kubectl/cluster.js';
import type { Cluster } from '../kubectl/cluster.js';
import { pod, PODS } from '../kubectl/objects.js';
import { bytesOf, Lines, open } from './ask.js';

const POD = '/api/v1/namespaces/default/pods/p';
const GROUPS = 'cluster.x-k8s.io/v1beta2 {"apiVersion":"cluster.hypershift.openshift.io/v1beta1"}';

let cluster: Cluster;
let proxy: RunningProxy;
beforeAll(async () => {
  cluster = await startEmbedded({ node: true });
  const connection = await loadConnection({ path: cluster.kubeconfig, env: {} });
  proxy = await startProxy({
    listen: { host: '127.0.0.1', port: 0 },
    connection,
    mapping: mappingFrom(),
    logger: silentLogger(),
    drainMs: 0,
  });
  const containers = [{ name: 'main', image: 'scripted', stdin: true }];
  await cluster.client.create(PODS, pod('p', { nodeName: cluster.node?.name, containers }), { namespace: 'default' });
  const running = { name: 'main', ready: true, restartCount: 0, image: 'scripted', imageID: 'scripted' };
  const containerStatuses = [{ ...running, state: { running: { startedAt: '2026-01-01T00:00:00Z' } } }];
  const value = { status: { phase: 'Running', podIP: '10.1.2.3', containerStatuses } };
  await cluster.client.patch(PODS, 'p', { type: 'merge', value }, { namespace: 'default', subresource: 'status' });
}, 60_000);
afterAll(async () => {
  await proxy?.close();
  await cluster?.stop();
});

/** Asks for another protocol, and gives the connection. */
function upgrade(target: string, headers: Readonly<Record<string, string>>): Promise<[IncomingMessage, Duplex]> {
  const asked = request(`${proxy.url}${target}`, {
    method: headers['upgrade'] === 'websocket' ? 'GET' : 'POST',
    headers: { connection: 'Upgrade', ...headers },
    agent: false,
  });
  asked.end();
  return new Promise((resolve, reject) => {
    asked.on('error', reject);
    asked.on('response', (response) => {
      void bytesOf({ request: asked, response }).then((bytes) =>
        reject(new TypeError(`${response.statusCode} ${bytes.toString()}`)),
      );
    });
    asked.on('upgrade', (response, socket, early) => {
      if (early.length > 0) socket.unshift(early);
      resolve([response, socket]);
    });
  });
}

async function spdy(target: string, protocol: string): Promise<[SpdyConnection, Duplex]> {
  const [response, socket] = await upgrade(target, { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': protocol });
  expect(response.headers['x-stream-protocol-version']).toBe(protocol);
  return [new SpdyConnection(socket, 'client', () => false), socket];
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  await once(stream, 'end');
  return Buffer.concat(pieces).toString();
}

/** A short binary message as clients send it; a mask of zeros changes nothing. */
function masked(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0x82, 0x80 | bytes.length, 0, 0, 0, 0), bytes]);
}

describe('Through the proxy', () => {
  it('a command over SPDY receives and sends bytes as they are, and sees the end of its input', async () => {
    const [connection, socket] = await spdy(`${POD}/exec?command=cat&stdin=true&stdout=true`, 'v4.channel.k8s.io');
    const [error, stdin, stdout] = ['error', 'stdin', 'stdout'].map((streamtype) => connection.open({ streamtype }));
    error?.resume();
    const output = textOf(stdout as NodeJS.ReadableStream);
    stdin?.end(GROUPS);
    expect(await output).toBe(GROUPS);
    socket.destroy();
  });

  it('a command over WebSocket does the same', async () => {
    const [response, socket] = await upgrade(`${POD}/exec?command=cat&stdin=true&stdout=true`, {
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
      'sec-websocket-protocol': 'v5.channel.k8s.io',
    });
    expect(response.headers['sec-websocket-protocol']).toBe('v5.channel.k8s.io');
    socket.write(masked(Buffer.from(`\0${GROUPS}`)));
    socket.write(masked(Buffer.of(255, 0)));
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await expect.poll(() => text, { timeout: 15_000 }).toContain(`\u0001${GROUPS}`);
    socket.destroy();
  });

  it('a forwarded port carries bytes both ways', async () => {
    const [connection, socket] = await spdy(`${POD}/portforward`, 'portforward.k8s.io');
    const at = { port: '8080', requestid: '0' };
    connection.open({ streamtype: 'error', ...at }).resume();
    const data = connection.open({ streamtype: 'data', ...at });
    data.write(
      `POST /${encodeURIComponent(GROUPS)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${GROUPS.length}\r\n\r\n${GROUPS}`,
    );
    expect(await textOf(data)).toContain(`[${GROUPS}]`);
    socket.destroy();
  });

  it('a log is followed line by line, and left when the client leaves', async () => {
    const { containers } = cluster.node ?? {};
    const followed = await open(proxy.url, `${POD}/log?follow=true`, { accept: '*/*' });
    const lines = new Lines(followed.response);
    await lines.until((all) => all.length === 3);
    containers?.say('default/p', GROUPS);
    await lines.until((all) => all.length === 4);
    expect(lines.all).toEqual(['one', 'two', 'three', GROUPS]);
    followed.request.destroy();
    await expect.poll(() => containers?.followers('default/p'), { timeout: 15_000 }).toBe(0);
  });

  it('a command in a missing pod is refused by the server', async () => {
    await expect(
      upgrade(`/api/v1/namespaces/default/pods/none/exec?command=cat`, { upgrade: 'SPDY/3.1' }),
    ).rejects.toThrow(/^404 .*pods \\"none\\" not found/);
  });
});
