import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveKubelet } from '@capstan/cluster';
import { ScriptedNode } from '@capstan/cluster/testing';
import type { CertificateAuthority, Client } from '@capstan/kube';
import { expect } from 'vitest';
import { NODES } from './objects.js';

/** A node of a cluster whose containers are scripted, and one web page on port 8080 of every pod. */
export interface ServedNode {
  readonly name: string;
  readonly containers: ScriptedNode;
  /** The port of the kubelet. */
  readonly port: number;
  stop(): Promise<void>;
}

export interface ServedNodeOptions {
  readonly client: Client;
  /** Of kubelets, and of the server towards them. */
  readonly ca: CertificateAuthority;
  readonly onError: (error: unknown) => void;
  /** Announces to the server that WebSockets may be passed on as they are; it would else speak SPDY to the kubelet. */
  readonly takesWebSockets?: boolean;
}

const WEBSOCKETS_FEATURE = 'ExtendWebSocketsToKubelet';

/** Serves a node and enters it in the cluster. */
export async function serveNode(options: ServedNodeOptions): Promise<ServedNode> {
  const { client, ca, onError, takesWebSockets = false } = options;
  const page = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      response.end(`${request.method} ${request.url} [${body}] ${request.headers.authorization ?? 'nobody'}\n`);
    });
  });
  page.listen(0, '127.0.0.1');
  await once(page, 'listening');
  const containers = new ScriptedNode(new Map([[8080, (page.address() as AddressInfo).port]]));
  const name = `node-${randomBytes(4).toString('hex')}`;
  const serving = ca.issueServing({ commonName: `system:node:${name}`, ipAddresses: ['127.0.0.1'] });
  const kubelet = await serveKubelet(containers, {
    tls: { cert: serving.certPem, key: serving.keyPem, clientCa: ca.certPem },
    onError,
  });
  await client.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
  const status = {
    addresses: [{ type: 'InternalIP', address: kubelet.host }],
    daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } },
    ...(takesWebSockets ? { declaredFeatures: [WEBSOCKETS_FEATURE] } : {}),
  };
  const entered = await client.patch(NODES, name, { type: 'merge', value: { status } }, { subresource: 'status' });
  if (takesWebSockets) expect(entered).toHaveProperty('status.declaredFeatures', [WEBSOCKETS_FEATURE]);
  return {
    name,
    containers,
    port: kubelet.port,
    stop: async () => {
      await client.delete(NODES, name);
      await kubelet.close();
      page.closeAllConnections();
      await new Promise((resolve) => page.close(resolve));
    },
  };
}
