import { connect, createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import type { BalancedService } from './load-balancers.js';
import { freePort, SocketBalancer } from './socket-balancer.js';

/** Pods behind Services answer with their names. */
const balancer = new SocketBalancer({
  dial: (namespace, name, port) => {
    const pod = new PassThrough();
    pod.end(`${namespace}/${name}:${port}`);
    return Promise.resolve(pod);
  },
});
afterEach(() => balancer.stop());

const service = (name: string, ports: readonly number[], ip?: string): BalancedService => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'n', name },
  spec: { type: 'LoadBalancer', ports: ports.map((port) => ({ port })) },
  ...(ip === undefined ? {} : { status: { loadBalancer: { ingress: [{ ip }] } } }),
});

/** Not every machine has more than one address of its own. */
const isAlone = await new Promise<boolean>((resolve) => {
  const server = createServer().once('error', () => resolve(true));
  server.listen(0, '127.0.0.3', () => server.close(() => resolve(false)));
});

const asked = (host: string, port: number): Promise<string> => text(connect(port, host));

it.skipIf(isAlone)('gives Services that want the same port addresses of their own', async () => {
  const port = await freePort();
  expect(await balancer.open(service('a', [port]))).toEqual({ ip: '127.0.0.1' });
  expect(await balancer.open(service('b', [port]))).toEqual({ ip: '127.0.0.2' });
  expect([await asked('127.0.0.1', port), await asked('127.0.0.2', port)]).toEqual([`n/a:${port}`, `n/b:${port}`]);
});

it.skipIf(isAlone)('opens a Service once, again when its ports change, and where it was reached before', async () => {
  const [port, other] = [await freePort(), await freePort()];
  await balancer.open(service('a', [port], '127.0.0.3'));
  expect(await balancer.open(service('a', [port], '127.0.0.3'))).toEqual({ ip: '127.0.0.3' });
  expect(await balancer.open(service('a', [other], '127.0.0.3'))).toEqual({ ip: '127.0.0.3' });
  expect(await asked('127.0.0.3', other)).toBe(`n/a:${other}`);
  await expect(asked('127.0.0.3', port)).rejects.toThrow('ECONNREFUSED');
});

it.skipIf(isAlone)('takes another port when one is in use, and reports when there is none left', async () => {
  const others = createServer();
  await new Promise<void>((resolve) => {
    others.listen(0, '127.0.0.1', resolve);
  });
  const { port } = others.address() as { port: number };
  const free = await freePort();
  expect(await balancer.open(service('a', [free, port]))).toEqual({ ip: '127.0.0.2' });
  const lone = new SocketBalancer({ dial: () => Promise.reject(new Error('nobody')), hosts: ['127.0.0.1'] });
  await expect(lone.open(service('a', [free, port]))).rejects.toThrow(
    `port ${free}, ${port} is taken at every address of this machine: choose another one`,
  );
  // Of what was tried nothing is left.
  await expect(asked('127.0.0.1', free)).rejects.toThrow('ECONNREFUSED');
  others.close();
});
