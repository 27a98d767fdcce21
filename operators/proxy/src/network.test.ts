import { get } from 'node:http';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { ProxyNetwork } from './index.js';
import { sendJson, serveTls, proxyInFrontOf } from './testing/fixture.js';

/** A network whose ports are sockets of this machine that nobody chose, and which knows the server by another address. */
class PodNetwork implements ProxyNetwork {
  readonly #ports = new Map<number, number>();
  readonly dialled: string[] = [];

  readonly attach: ProxyNetwork['attach'] = async (port, server) => {
    const listener = createServer((socket) => void server.emit('connection', socket));
    await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve));
    this.#ports.set(port, (listener.address() as AddressInfo).port);
    return {
      close: () => {
        this.#ports.delete(port);
        return new Promise((resolve) => void listener.close(() => resolve()));
      },
    };
  };

  readonly dial = (host: string, port: number): Promise<Duplex> => {
    this.dialled.push(`${host}:${port}`);
    const real = host === '127.0.0.1' ? (this.#ports.get(port) ?? port) : undefined;
    if (real === undefined) return Promise.reject(new TypeError(`lookup ${host}: no such host`));
    return new Promise((resolve) => {
      const socket = connect(real, '127.0.0.1', () => resolve(socket));
    });
  };

  async ask(port: number, path: string): Promise<{ status: number | undefined; body: string }> {
    const connection = await this.dial('127.0.0.1', port);
    const headers = { host: 'localhost', accept: 'application/json' };
    return new Promise((resolve, reject) => {
      get({ path, headers, createConnection: () => connection }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
      }).once('error', reject);
    });
  }
}

it('a proxy listens and dials on the network of its pod', async () => {
  const asked: (string | undefined)[] = [];
  const upstream = await serveTls(({ url }, response) => {
    asked.push(url);
    sendJson(response, { apiVersion: 'cluster.hypershift.openshift.io/v1beta2', kind: 'Machine', metadata: {} });
  });
  const network = new PodNetwork();
  const listen = { host: '127.0.0.1', port: 8080 };
  const fixture = await proxyInFrontOf(upstream, { listen, health: { host: '0.0.0.0', port: 8081 }, network });
  expect([fixture.proxy.url, fixture.proxy.healthUrl]).toEqual(['http://127.0.0.1:8080', 'http://0.0.0.0:8081']);
  const path = '/apis/cluster.x-k8s.io/v1beta2/namespaces/a/machines/m';
  const { body, status } = await network.ask(8080, path);
  expect([status, JSON.parse(body)]).toMatchObject([200, { apiVersion: 'cluster.x-k8s.io/v1beta2' }]);
  expect(asked).toEqual([path.replace('x-k8s.io', 'hypershift.openshift.io')]);
  expect(network.dialled).toContain(`127.0.0.1:${upstream.port}`);
  expect((await network.ask(8081, '/readyz')).status).toBe(200);
  await fixture.close();
});

it('a proxy whose network knows no server answers with the cause, and is not ready', async () => {
  const network = new PodNetwork();
  const upstream = await serveTls(() => {});
  const listen = { host: '127.0.0.1', port: 8080 };
  const elsewhere = { ...upstream, url: 'https://api.nowhere.example:6443' };
  const fixture = await proxyInFrontOf(elsewhere, { listen, health: { host: '0.0.0.0', port: 8081 }, network });
  const { body, status } = await network.ask(8080, '/version');
  expect([status, (JSON.parse(body) as { message: string }).message]).toEqual([
    503,
    expect.stringContaining('lookup api.nowhere.example: no such host'),
  ]);
  expect((await network.ask(8081, '/readyz')).status).toBe(500);
  await fixture.close();
});
