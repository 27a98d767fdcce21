import { Client, HttpTransport, loadConnection, systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';

const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const METRICS = { group: 'metrics.k8s.io', version: 'v1beta1' };
const NAMESPACE = 'hypershift';
const LIMIT_MS = 120_000;

async function logOf(client: Client, pod: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of client.logs(NAMESPACE, pod)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function page(client: Client, pod: string, path: string): Promise<string> {
  const target = `/api/v1/namespaces/${NAMESPACE}/pods/${pod}${path}`;
  const { body } = await client.request({ method: 'GET', resource: PODS, name: pod, target, accept: '*/*' });
  const chunks: Uint8Array[] = [];
  if (body.type === 'payload') chunks.push(...body.chunks());
  else if (body.type === 'stream') for await (const chunk of body.read()) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

interface Measured extends KubeObject {
  readonly usage?: { readonly cpu: string; readonly memory: string };
  readonly containers?: readonly { readonly name: string }[];
}

it(
  'the operator of hosted clusters logs, answers probes and shows metrics; usage is served for kubectl top',
  async () => {
    const server = new TestIo();
    const ended = main(['up', '--hosted', '1', '--no-migrate'], server);
    const { kubeconfig } = JSON.parse(await server.firstLine()) as { kubeconfig: string };
    const transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
    const client = new Client(transport);
    try {
      const { items } = await client.list(PODS, { namespace: NAMESPACE, labelSelector: 'app=operator' });
      const name = items[0]?.metadata.name ?? '';
      expect(items[0]).toMatchObject({
        spec: {
          containers: [
            {
              ports: [{ name: 'webhook' }, { name: 'metrics' }, { name: 'health' }],
              livenessProbe: { httpGet: { path: '/healthz' } },
              readinessProbe: { httpGet: { path: '/readyz' } },
            },
          ],
        },
      });
      expect(await page(client, `${name}:8081`, '/proxy/readyz')).toBe('ok');
      expect(await page(client, `${name}:8080`, '/proxy/metrics')).toContain('controller_runtime_reconcile_total');
      const log = await waitUntil(
        'the log of the operator has what it created',
        async () => {
          const text = await logOf(client, name);
          return text.includes('"object created"') ? text : undefined;
        },
        { clock: systemClock(), limitMs: 20_000, everyMs: 100 },
      );
      expect(log).toContain('INFO "became leader" lease="hypershift-operator-leader-elect"');
      const pods = await client.list<Measured>(
        { ...METRICS, plural: 'pods', namespaced: true },
        { namespace: NAMESPACE },
      );
      const own = pods.items.find(({ metadata }) => metadata.name === name);
      expect(own?.containers?.map((container) => container.name)).toEqual(['operator']);
      const nodes = await client.list<Measured>({ ...METRICS, plural: 'nodes', namespaced: false });
      expect(nodes.items.some(({ usage }) => Number.parseInt(usage?.cpu ?? '0', 10) > 0)).toBe(true);
    } finally {
      await transport.close();
      server.stop();
      await ended;
    }
  },
  LIMIT_MS,
);
