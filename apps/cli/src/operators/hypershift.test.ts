import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as hypershiftKinds } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import { HOSTED_CLUSTERS } from '@capstan/hosting';
import { createCa } from '@capstan/kube';
import type { Condition, KubeObject } from '@capstan/meta';
import { hostedClusterOn } from '@capstan/provider/testing';
import { freePort } from '@capstan/simulation';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';
import { TIMEOUT_MS, testServer } from '../testing-server.js';
import type { TestServer } from '../testing-server.js';

vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });
let server: TestServer;

beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

describe('capstan operator', () => {
  it('names the missing CRD', async () => {
    const io = new TestIo();
    expect(await main(['operator', '--kubeconfig', server.kubeconfig], io)).toBe(1);
    expect(io.stderr).toContain('the management cluster does not serve hostedclusters.hypershift.openshift.io');
  });

  it('refuses an empty override', async () => {
    const io = new TestIo();
    expect(await main(['operator', '--registry-override', 'quay.io'], io)).toBe(2);
    expect(io.stderr).toContain('--registry-override "quay.io" is not of the form from=to');
  });

  it('reconciles hosted clusters until it is stopped', async () => {
    const { client, kubeconfig } = server;
    await server.define([...hypershiftKinds, ...clusterApiKinds].map((kind) => crd(kind, { conversion: 'none' })));
    const io = new TestIo();
    const ended = main(['operator', '--kubeconfig', kubeconfig, '-o', 'json'], io);
    expect(JSON.parse(await io.firstLine())).toHaveProperty('server');
    const { metadata, ...cluster } = hostedClusterOn({ type: 'None', key: 'none', hasSettings: false });
    await client.create(HOSTED_CLUSTERS, { ...cluster, metadata: { name: metadata.name ?? '', namespace: 'default' } });
    await vi.waitFor(
      async () => {
        const { status } = await client.get<typeof cluster & KubeObject>(HOSTED_CLUSTERS, 'example', {
          namespace: 'default',
        });
        const conditions = status?.conditions as readonly Condition[] | undefined;
        expect(conditions?.find(({ type }) => type === 'ValidConfiguration')?.message).toContain(
          'Secret pull-secret is not in namespace default',
        );
      },
      { timeout: TIMEOUT_MS, interval: 50 },
    );
    io.stop();
    expect(await ended).toBe(0);
  });

  it('converts standard objects for the API server, whose CRDs may name the operator from before it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-operator-'));
    const ca = createCa({ commonName: 'operator' });
    const { certPem, keyPem } = ca.issueServing({ commonName: 'operator', ipAddresses: ['127.0.0.1'] });
    writeFileSync(join(folder, 'tls.crt'), certPem);
    writeFileSync(join(folder, 'tls.key'), keyPem);
    const port = await freePort();
    const io = new TestIo();
    const args = ['--kubeconfig', server.kubeconfig, '--webhook-cert-dir', folder, '--webhook-port', String(port)];
    const ended = main(['operator', ...args, '-o', 'json'], io);
    await io.firstLine();
    const object = {
      apiVersion: 'cluster.x-k8s.io/v1beta1',
      kind: 'Cluster',
      metadata: { name: 'c', namespace: 'default' },
      spec: { paused: true, controlPlaneEndpoint: { host: 'h', port: 6443 } },
    };
    const review = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      request: { uid: 'u', desiredAPIVersion: 'cluster.x-k8s.io/v1beta2', objects: [object] },
    };
    const post = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const url = `https://127.0.0.1:${port}/convert`;
        const sent = request(url, { method: 'POST', ca: ca.certPem, agent: false }, (incoming) => {
          text(incoming).then(resolve, reject);
        });
        sent.on('error', reject).end(JSON.stringify(review));
      });
    const answer = await vi.waitFor(post, { timeout: TIMEOUT_MS, interval: 50 });
    expect(JSON.parse(answer)).toMatchObject({
      response: {
        result: { status: 'Success' },
        convertedObjects: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', spec: { paused: true } }],
      },
    });
    io.stop();
    expect(await ended).toBe(0);
    rmSync(folder, { recursive: true });
  });

  it('reports that it reconciles hosted clusters once it leads, and not before', async () => {
    const args = ['operator', '--kubeconfig', server.kubeconfig, '--leader-elect', '--namespace', 'default'];
    const replicas = [new TestIo(), new TestIo()].map((io) => ({ io, ended: main([...args], io) }));
    const leading = (): typeof replicas =>
      replicas.filter(({ io }) => io.stdout.includes('Reconciling HostedClusters on'));
    const polling = { timeout: TIMEOUT_MS, interval: 50 };
    for (const { io } of replicas) expect(await io.firstLine()).toContain('Waiting for the lease on');
    await vi.waitFor(() => expect(leading()).toHaveLength(1), polling);
    const [leader] = leading();
    leader?.io.stop();
    expect(await leader?.ended).toBe(0);
    await vi.waitFor(() => expect(leading()).toHaveLength(2), polling);
    for (const { ended, io } of replicas) {
      io.stop();
      expect(await ended).toBe(0);
    }
  });
});
