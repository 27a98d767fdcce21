import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createCa } from '@capstan/kube';
import type { BenchRow, Measurement } from '../../model.js';
import { configMap, type Load } from './load.js';

const SAMPLES = 300;
const QUICK_SAMPLES = 60;
const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

/** A webhook in this process that lets everything pass. */
async function startWebhook(): Promise<{ url: string; caBundle: string; close(): void }> {
  const ca = createCa({ commonName: 'bench-hooks' });
  const { certPem, keyPem } = ca.issueServing({ commonName: 'hook', ipAddresses: ['127.0.0.1'] });
  const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const review = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { request: { uid: string } };
      const { uid } = review.request;
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          kind: 'AdmissionReview',
          apiVersion: 'admission.k8s.io/v1',
          response: { uid, allowed: true },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    caBundle: Buffer.from(ca.certPem).toString('base64'),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function configuration(client: { url: string; caBundle: string }): string {
  return JSON.stringify({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'bench' },
    webhooks: [
      {
        name: 'bench.example.com',
        clientConfig: { url: client.url, caBundle: client.caBundle },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'hooked' } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
}

async function postMs(load: Load, path: string): Promise<number> {
  const begin = performance.now();
  await load.send('POST', path, configMap(load.nextName()));
  return performance.now() - begin;
}

function createMs(load: Load, namespace: string): Promise<number> {
  return postMs(load, `/api/v1/namespaces/${namespace}/configmaps`);
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

/** What a validating webhook adds to a create: the middle of many, one at a time, less the middle without it. */
export async function webhookRows(load: Load, bare: Load): Promise<{ rows: BenchRow[]; close(): Promise<void> }> {
  const webhook = await startWebhook();
  await load.send('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name: 'hooked' } }));
  await load.send('POST', CONFIGURATIONS, configuration(webhook));
  const added: Measurement = async ({ quick }) => {
    const [plain, hooked] = [[] as number[], [] as number[]];
    // By turns, so that what else the machine does falls on both.
    for (let left = quick ? QUICK_SAMPLES : SAMPLES; left > 0; left -= 1) {
      plain.push(await createMs(load, 'default'));
      hooked.push(await createMs(load, 'hooked'));
    }
    return middle(hooked) - middle(plain);
  };
  const post: Measurement = async ({ quick }) => {
    const times: number[] = [];
    for (let left = quick ? QUICK_SAMPLES : SAMPLES; left > 0; left -= 1) times.push(await postMs(bare, '/'));
    return middle(times);
  };
  const row: BenchRow = {
    name: 'what a validating webhook over TLS adds to a create (p50)',
    unit: 'ms',
    better: 'lower',
    target: 2,
    run: added,
    reference: { name: 'a post to bare node:https (p50)', run: post },
  };
  return { rows: [row], close: async () => webhook.close() };
}
