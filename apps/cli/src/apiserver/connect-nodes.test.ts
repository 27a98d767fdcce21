import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiServer, podConnector } from '@capstan/apiserver';
import { ScriptedNode } from '@capstan/cluster/testing';
import { Client, systemClock, systemRandom } from '@capstan/kube';
import { connectNodes, type NodeConnections } from './connect-nodes.js';

const core = (plural: string, namespaced = true) => ({ group: '', version: 'v1', plural, namespaced });
const PODS = core('pods');
const NODES = core('nodes', false);
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Joined {
  readonly client: Client;
  readonly connections: NodeConnections;
  readonly errors: unknown[];
}

/** A server with a pod on node `n`, whose address belongs to a network that is not there. */
async function joined(): Promise<Joined> {
  const errors: unknown[] = [];
  const connections = connectNodes({ podConnector }, { onError: (error) => errors.push(error) });
  closers.push(() => connections.close());
  const { nodes, pods } = connections;
  const client = new Client(new ApiServer({ clock: systemClock(), random: systemRandom(), nodes, pods }), {
    maxRetries: 0,
  });
  const namespace = 'default';
  await client.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: 1 } },
  };
  await client.patch(NODES, 'n', { type: 'merge', value: { status } }, { subresource: 'status' });
  await client.create(core('serviceaccounts'), {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default', namespace },
  });
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
  await client.create(PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace }, spec });
  const podStatus = { podIP: '10.1.1.1', podIPs: [{ ip: '10.1.1.1' }] };
  await client.patch(PODS, 'p', { type: 'merge', value: { status: podStatus } }, { namespace, subresource: 'status' });
  return { client, connections, errors };
}

async function logs(client: Client): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of client.logs('default', 'p')) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function page(client: Client): Promise<unknown> {
  const target = '/api/v1/namespaces/default/pods/p:8080/proxy/x';
  const { body } = await client.request({ method: 'GET', target, resource: PODS });
  return body.type === 'payload' ? body.value() : body.type;
}

describe('connectNodes', () => {
  it('leads the server to a kubelet by the name of its node, and into its pods', async () => {
    const web = createServer((request, response) => response.end(`page ${request.url}`));
    web.listen(0, '127.0.0.1');
    await once(web, 'listening');
    closers.push(() => new Promise((resolve) => (web.closeAllConnections(), web.close(resolve))));
    const { client, connections, errors } = await joined();
    await connections.attach('n', new ScriptedNode(new Map([[8080, (web.address() as AddressInfo).port]])));
    expect(await logs(client)).toBe('one\ntwo\nthree\n');
    expect(await page(client)).toBe('page /x');
    expect(errors).toEqual([]);
  });

  it('dials nodes it does not know where their objects say', async () => {
    const { client } = await joined();
    await expect(logs(client)).rejects.toThrow(
      'Get "https://127.0.0.1:1/containerLogs/default/p/c": dial tcp 127.0.0.1:1: connect: connection refused',
    );
    await expect(page(client)).rejects.toThrow('error trying to reach service: no route to node "n"');
  });

  it('takes another kubelet for a node, and lets all go at the end', async () => {
    const { client, connections } = await joined();
    const first = await connections.attach('n', new ScriptedNode());
    const node = new ScriptedNode();
    node.lines = ['other'];
    const second = await connections.attach('n', node);
    expect(second.port).not.toBe(first.port);
    expect(await logs(client)).toBe('other\n');
    await connections.close();
    await expect(logs(client)).rejects.toThrow('connection refused');
  });

  it('gives kubelets that believe nobody but this server', async () => {
    const [ours, theirs] = [await joined(), await joined()];
    const { port } = await ours.connections.attach('n', new ScriptedNode());
    const asked = { method: 'GET', target: '/healthz', host: 'x', headers: {} };
    // Another server's CA is another, under the same name.
    await expect(theirs.connections.nodes.ask({ node: 'm', host: '127.0.0.1', port }, asked)).rejects.toThrow(
      'certificate',
    );
  });
});
