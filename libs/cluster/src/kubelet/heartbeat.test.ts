import { Client, silentLogger } from '@capstan/kube';
import { ManualClock, scriptedFailure as failed, scriptedJson as json, ScriptedTransport } from '@capstan/kube/testing';
import type { ApiRequest, ApiResponse, KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { Heartbeat } from './heartbeat.js';

const LEASE = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

/** A server of one node and its lease, each of which may be there, and what it was asked. */
class Server {
  readonly asked: string[] = [];
  readonly clock = new ManualClock();
  readonly stop = new AbortController();
  lease: KubeObject | undefined;
  version = 1;
  hasNode = false;
  isLost = false;
  isFull = false;

  readonly heartbeat = new Heartbeat({
    client: new Client(new ScriptedTransport((request) => this.#answer(request)), { clock: this.clock }),
    clock: this.clock,
    logger: silentLogger(),
    description: { name: 'one', ip: '10.0.0.1', podCidr: '10.1.0.0/24' },
    isLost: () => this.isLost,
    leavesTaint: true,
  });

  /** What is asked for until so long later. */
  async during(ms: number): Promise<readonly string[]> {
    this.asked.length = 0;
    await this.clock.advance(ms);
    return [...this.asked];
  }

  #answer({ body, method, target }: ApiRequest): ApiResponse {
    this.asked.push(`${method} ${target.startsWith(LEASE) ? 'lease' : 'node'}`);
    const sent = (body?.type === 'value' ? body.value : {}) as KubeObject;
    if (this.isFull && method !== 'GET') return failed(500, '');
    if (!target.startsWith(LEASE)) {
      if (method === 'POST' && this.hasNode) return failed(409, 'AlreadyExists');
      this.hasNode = true;
      return json({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'one', uid: 'u' } });
    }
    if (method === 'POST' && this.lease !== undefined) return failed(409, 'AlreadyExists');
    if (method !== 'POST' && this.lease === undefined) return failed(404, 'NotFound');
    if (method === 'GET') return json(this.lease);
    if (method === 'PUT' && sent.metadata.resourceVersion !== String(this.version)) return failed(409, 'Conflict');
    this.version += 1;
    this.lease = { ...sent, metadata: { ...sent.metadata, resourceVersion: String(this.version) } };
    return json(this.lease);
  }
}

it('makes the lease of a node it made without a look, and replaces it from then on', async () => {
  const server = new Server();
  await server.heartbeat.register();
  expect(server.asked).toEqual(['POST node', 'POST lease']);
  void server.heartbeat.run(server.stop.signal);
  expect(await server.during(10_000)).toEqual(['PUT lease']);
  expect(await server.during(10_000)).toEqual(['PUT lease']);
  server.stop.abort();
});

it('is silent while it is lost, and afterwards reports the node’s state, whatever others wrote meanwhile', async () => {
  const server = new Server();
  await server.heartbeat.register();
  void server.heartbeat.run(server.stop.signal);
  server.isLost = true;
  expect(await server.during(60_000)).toEqual([]);
  server.isLost = false;
  expect(await server.during(10_000)).toEqual(['GET node', 'PATCH node', 'PUT lease']);
  expect(await server.during(10_000)).toEqual(['PUT lease']);
  server.stop.abort();
});

it('takes over the lease of a node that was there', async () => {
  const before = new Server();
  await before.heartbeat.register();
  const { hasNode, lease, version } = before;
  const server = Object.assign(new Server(), { hasNode, lease, version });
  await server.heartbeat.register();
  expect(server.asked.filter((request) => request.endsWith('lease'))).toEqual(['GET lease', 'PUT lease']);
});

it('reads a lease that another client wrote, and recreates one that was deleted', async () => {
  const server = new Server();
  await server.heartbeat.register();
  void server.heartbeat.run(server.stop.signal);
  server.version += 1;
  server.lease = {
    ...(server.lease as KubeObject),
    metadata: { name: 'one', namespace: 'kube-node-lease', resourceVersion: String(server.version) },
  };
  expect(await server.during(10_000)).toEqual(['PUT lease', 'GET lease', 'PUT lease']);
  server.lease = undefined;
  expect(await server.during(10_000)).toEqual(['PUT lease', 'GET lease', 'POST lease']);
  expect(await server.during(10_000)).toEqual(['PUT lease']);
  server.stop.abort();
});

it('joins when the server can store the node again', async () => {
  const server = new Server();
  server.isFull = true;
  let isJoined = false;
  void server.heartbeat.join(server.stop.signal).then(() => (isJoined = true));
  expect((await server.during(60_000)).length).toBeLessThan(20);
  server.isFull = false;
  expect(await server.during(7_000)).toEqual(['POST node', 'POST lease']);
  expect(isJoined).toBe(true);
});
