import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EndpointsController, MemoryLink, SocketLink } from '@capstan/cluster';
import type { ContainerContext, Link, Program, RunningProgram } from '@capstan/cluster';
import { createCa } from '@capstan/kube';
import { afterEach, describe, expect, it } from 'vitest';
import { startPods, type StartedPods } from './backend.js';

const SERVICES = { group: '', version: 'v1', plural: 'services', namespaced: true };
const CONFIGURATIONS = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};
const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };
let cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  cleanups = [];
});

async function cluster(link: Link): Promise<StartedPods['on']> {
  const { on, stop } = await startPods({ link, extraControllers: (options) => [new EndpointsController(options)] });
  cleanups.push(stop);
  return on;
}

/** Runs until it is asked to end. */
function running(): RunningProgram {
  let finish: (code: number) => void = () => undefined;
  const exited = new Promise<number>((resolve) => {
    finish = resolve;
  });
  return { exited, stop: () => finish(0), kill: () => finish(137) };
}

/** Answers every request on port 8080 with the name of its pod; `health` sets its health. */
function web(health: { ok: boolean }): Program {
  return async ({ network, pod }: ContainerContext) => {
    await network.serve(
      8080,
      createServer((request, response) => {
        response.statusCode = request.url === '/healthz' && !health.ok ? 500 : 200;
        response.end(pod.name);
      }),
    );
    return running();
  };
}

/** Asks over a connection. */
async function ask(connection: Duplex): Promise<string> {
  connection.write('GET / HTTP/1.0\r\n\r\n');
  const chunks: Buffer[] = [];
  for await (const chunk of connection) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString().split('\r\n\r\n')[1] ?? '';
}

const container = (image: string, more: object = {}): object => ({ containers: [{ name: 'main', image, ...more }] });

async function service(on: StartedPods['on'], name: string, spec: object): Promise<void> {
  const metadata = { name, namespace: on.namespace };
  await on.client.create(SERVICES, { apiVersion: 'v1', kind: 'Service', metadata, spec });
}

describe.each<[string, () => Link]>([
  ['sockets', () => new SocketLink()],
  ['memory', () => new MemoryLink()],
])('the pod network over %s', (_, link) => {
  it('lets pods with the same port be reached by address, name and service', async () => {
    const on = await cluster(link());
    const contexts: ContainerContext[] = [];
    on.programs.register('web', web({ ok: true })).register('client', (context) => {
      contexts.push(context);
      return running();
    });
    const metadata = { labels: { app: 'web' } };
    await on.createPod('a', container('web'), metadata);
    await on.createPod('b', container('web'), metadata);
    await on.createPod('c', container('client'));
    await service(on, 'web', { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] });
    await service(on, 'none', { selector: { app: 'web' }, clusterIP: 'None', ports: [{ port: 8080 }] });
    await expect.poll(() => contexts.length).toBe(1);
    const { network } = contexts[0] as ContainerContext;
    await expect.poll(async () => (await on.podIfThere('a'))?.status.podIP).toBeDefined();
    const { podIP = '' } = (await on.pod('a')).status;
    expect(await ask(await network.dial(podIP, 8080))).toBe('a');
    const { spec } = await on.client.get(SERVICES, 'web', { namespace: on.namespace });
    const { clusterIP } = spec as { clusterIP: string };
    const inside = `web.${on.namespace}`;
    for (const host of ['web', inside, `${inside}.svc`, `${inside}.svc.cluster.local`, clusterIP])
      await expect.poll(() => network.dial(host, 80).then(ask, () => ''), { message: host }).toMatch(/^[ab]$/);
    const answering = async (): Promise<string[]> => {
      const names = new Set<string>();
      for (let turn = 0; turn < 50 && names.size < 2; turn += 1) names.add(await ask(await network.dial('web', 80)));
      return [...names].sort();
    };
    // One of them may be behind the service before the other is.
    await expect.poll(answering).toEqual(['a', 'b']);
    await expect.poll(() => network.dial(`none.${on.namespace}.svc`, 8080).then(ask, () => '')).toMatch(/^[ab]$/);
    await expect(network.dial('web', 81)).rejects.toMatchObject({ code: 'NO_SUCH_HOST' });
    await expect(network.dial(`nobody.${on.namespace}.svc`, 80)).rejects.toMatchObject({ code: 'NO_SUCH_HOST' });
    await expect(network.dial('localhost', 8080)).rejects.toMatchObject({ code: 'CONNECTION_REFUSED' });
    await expect(network.dial(podIP, 9)).rejects.toThrow(`dial tcp ${podIP}:9: connect: connection refused`);
    const [kubelet] = on.kubelets;
    expect(await ask((await kubelet?.dial(on.namespace, 'b', 8080)) as Duplex)).toBe('b');
  });

  it('takes a pod off the service when its readiness probe fails, and its ports with it when it is gone', async () => {
    const on = await cluster(link());
    const health = { ok: true };
    on.programs.register('web', web(health));
    const readinessProbe = { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 1, failureThreshold: 1 };
    const ports = [{ name: 'http', containerPort: 8080 }];
    await on.createPod('a', container('web', { ports, readinessProbe }), { labels: { app: 'web' } });
    await service(on, 'web', { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] });
    const { network } = on.runtime;
    await expect.poll(() => network.dialService(on.namespace, 'web', 80).then(ask, () => '')).toBe('a');
    health.ok = false;
    await expect.poll(() => on.isReady('a'), { timeout: 5000 }).toBe(false);
    await expect
      .poll(() => on.events('a'))
      .toContain('Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 500');
    await expect
      .poll(() => network.dialService(on.namespace, 'web', 80).then(ask, (error: Error) => error.message))
      .toBe('no endpoints available for service "web"');
    const { podIP = '' } = (await on.pod('a')).status;
    await on.client.delete({ ...SERVICES, plural: 'pods' }, 'a', { namespace: on.namespace });
    await expect.poll(() => on.podIfThere('a')).toBeUndefined();
    await expect(network.dialPod(podIP, 8080)).rejects.toMatchObject({ code: 'CONNECTION_REFUSED' });
  });

  it('gives no port of a pod twice', async () => {
    const carrier = link();
    const first = await carrier.listen('10.0.0.1', 80, (connection) => connection.end());
    await expect(carrier.listen('10.0.0.1', 80, () => undefined)).rejects.toMatchObject({ code: 'ADDRESS_IN_USE' });
    const other = await carrier.listen('10.0.0.2', 80, (connection) => connection.end());
    await Promise.all([first.close(), other.close()]);
    const again = await carrier.listen('10.0.0.1', 80, (connection) => connection.end());
    await again.close();
  });
});

it('the server calls a webhook that a pod serves behind a service', async () => {
  const on = await cluster(new SocketLink());
  const { namespace } = on;
  const { network } = on.runtime;
  const ca = createCa({ commonName: 'ca' });
  const dnsNames = [`hook.${namespace}.svc`];
  const { certPem: cert, keyPem: key } = ca.issueServing({ commonName: 'hook', dnsNames });
  on.programs.register('hook', async (container) => {
    const serving = createTlsServer({ cert, key }, (request, response) => {
      void text(request).then((body) => {
        const { uid } = (JSON.parse(body) as { request: { uid: string } }).request;
        const verdict = { uid, allowed: false, status: { message: `${container.pod.name} refuses` } };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: verdict }));
      });
    });
    await container.network.serve(9443, serving);
    return running();
  });
  await on.createPod('hook', container('hook'), { labels: { app: 'hook' } });
  await service(on, 'hook', { selector: { app: 'hook' }, ports: [{ port: 443, targetPort: 9443 }] });
  await expect.poll(() => network.findService(namespace, 'hook', 443)).toMatchObject({ host: '127.0.0.1' });
  expect(() => network.resolveService(namespace, 'missing', 443)).toThrow('service "missing" not found');
  await on.client.create(CONFIGURATIONS, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: namespace },
    webhooks: [
      {
        name: 'hook.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: {
          caBundle: Buffer.from(ca.certPem).toString('base64'),
          service: { namespace, name: 'hook' },
        },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      },
    ],
  });
  cleanups.push(async () => void (await on.client.delete(CONFIGURATIONS, namespace)));
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'refused', namespace } };
  await expect
    .poll(() => on.client.create(CONFIG_MAPS, map, { dryRun: true }).then(String, (error: Error) => error.message))
    .toBe('admission webhook "hook.example.com" denied the request: hook refuses');
});

it('a mounted ConfigMap changes under a running program, and the program is notified', async () => {
  const on = await cluster(new MemoryLink());
  const seen: string[] = [];
  on.programs.register('reader', async ({ mounts }) => {
    const read = async (): Promise<void> => void seen.push(Buffer.from(await mounts.read('/etc/config/a')).toString());
    await read();
    mounts.watch(() => void read());
    return running();
  });
  const metadata = { name: 'config', namespace: on.namespace };
  await on.client.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'one' } });
  const volumes = [{ name: 'config', configMap: { name: 'config' } }];
  const volumeMounts = [{ name: 'config', mountPath: '/etc/config' }];
  await on.createPod('p', { ...container('reader', { volumeMounts }), volumes });
  await expect.poll(() => seen).toEqual(['one']);
  const patch = { type: 'merge', value: { data: { a: 'two' } } } as const;
  await on.client.patch(CONFIG_MAPS, 'config', patch, { namespace: on.namespace });
  await expect.poll(() => seen).toEqual(['one', 'two']);
});
