import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { EndpointsController, ServiceCaController, SocketLink } from '@capstan/cluster';
import type { ContainerContext, RunningProgram } from '@capstan/cluster';
import type { KubeObject } from '@capstan/meta';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startPods, type StartedPods } from './backend.js';

const core = (plural: string) => ({ group: '', version: 'v1', plural, namespaced: true });
const CONFIGURATIONS = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};
const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const wheels = (group: string, version: string) => ({ group, version, plural: 'wheels', namespaced: true });
const INJECT = { 'service.beta.openshift.io/inject-cabundle': 'true' };
const LIMIT = { timeout: 10_000 };

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: { uid: string; desiredAPIVersion?: string; objects?: KubeObject[] };
}

/** Refuses whatever it is asked to admit, and converts by name alone. */
function answer({ apiVersion, kind, request: { desiredAPIVersion, objects, uid } }: Review): object {
  const response =
    kind === 'ConversionReview'
      ? {
          uid,
          result: { status: 'Success' },
          convertedObjects: objects?.map((object) => ({ ...object, apiVersion: desiredAPIVersion })),
        }
      : { uid, allowed: false, status: { message: 'the pod refuses' } };
  return { apiVersion, kind, response };
}

/** A program that serves webhooks with the certificate it finds in its files. */
async function hooks({ mounts, network }: ContainerContext): Promise<RunningProgram> {
  const read = async (name: string): Promise<Buffer> => Buffer.from(await mounts.read(`/etc/tls/${name}`));
  const serving = createServer({ cert: await read('tls.crt'), key: await read('tls.key') }, (request, response) => {
    void text(request).then((body) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer(JSON.parse(body) as Review)));
    });
  });
  await network.serve(9443, serving);
  let finish: (code: number) => void = () => undefined;
  const exited = new Promise<number>((resolve) => {
    finish = resolve;
  });
  return { exited, stop: () => finish(0), kill: () => finish(137) };
}

let on: StartedPods['on'];
let stop: StartedPods['stop'];
/** Names what is cluster-wide after the namespace, and finds it by that. */
let own: string;
let cleanups: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  ({ on, stop } = await startPods({
    link: new SocketLink(),
    extraControllers: (options) => [new EndpointsController(options), new ServiceCaController(options)],
  }));
  own = on.namespace;
});

afterEach(async () => {
  for (const cleanup of cleanups) await cleanup();
  cleanups = [];
  await stop();
});

const service = () => ({ namespace: on.namespace, name: 'hooks' });

/** The service, annotated, and the pod behind it, which starts when its certificate is there. */
async function serveHooks(): Promise<void> {
  on.programs.register('hooks', hooks);
  const volumes = [{ name: 'tls', secret: { secretName: 'hooks-tls' } }];
  const volumeMounts = [{ name: 'tls', mountPath: '/etc/tls' }];
  const containers = [{ name: 'main', image: 'hooks', volumeMounts }];
  await on.createPod('hooks', { containers, volumes }, { labels: { app: 'hooks' } });
  await on.client.create(core('services'), {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      ...service(),
      annotations: { 'service.beta.openshift.io/serving-cert-secret-name': 'hooks-tls' },
    },
    spec: { selector: { app: 'hooks' }, ports: [{ port: 443, targetPort: 9443 }] },
  });
}

const webhook = () => ({
  name: 'hooks.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { service: service() },
  rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': own } },
});

async function configure(annotations: Record<string, string>): Promise<void> {
  await on.client.create(CONFIGURATIONS, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: own, annotations },
    webhooks: [webhook()],
  });
  cleanups.push(() => on.client.delete(CONFIGURATIONS, own));
}

async function refusalOfMap(): Promise<string> {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: own } };
  return on.client.create(core('configmaps'), map, { dryRun: true }).then(
    () => 'admitted',
    (error: Error) => error.message,
  );
}

it('a webhook in a pod serves with the certificate of its service, and the injected bundle trusts it', async () => {
  await serveHooks();
  await configure(INJECT);
  await expect
    .poll(refusalOfMap, LIMIT)
    .toBe('admission webhook "hooks.example.com" denied the request: the pod refuses');
});

it('the same webhook without the injected CA bundle is not trusted', async () => {
  await serveHooks();
  await configure({});
  await expect
    .poll(refusalOfMap, LIMIT)
    .toMatch(/^Internal error occurred: failed calling webhook .* tls: failed to verify certificate: x509: /);
  const {
    webhooks: [first],
  } = (await on.client.get(CONFIGURATIONS, own)) as unknown as {
    webhooks: { clientConfig: { caBundle?: string } }[];
  };
  expect(first?.clientConfig.caBundle).toBeUndefined();
});

it('a CRD is converted by a pod in the same way', async () => {
  await serveHooks();
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  };
  const group = `${own}.example.com`;
  await on.client.create(DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `wheels.${group}`, annotations: INJECT },
    spec: {
      group,
      names: { plural: 'wheels', kind: 'Wheel' },
      scope: 'Namespaced',
      versions: ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema })),
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v1'], clientConfig: { service: service() } },
      },
    },
  } as KubeObject);
  cleanups.push(() => on.client.delete(DEFINITIONS, `wheels.${group}`));
  const metadata = { name: 'w', namespace: own };
  const wheel = { apiVersion: `${group}/v1`, kind: 'Wheel', metadata, spec: { spokes: 8 } };
  await expect
    .poll(
      () =>
        on.client.create(wheels(group, 'v1'), wheel).then(
          () => true,
          () => false,
        ),
      LIMIT,
    )
    .toBe(true);
  await expect
    .poll(() => on.client.get(wheels(group, 'v2'), 'w', { namespace: own }).catch(String), LIMIT)
    .toMatchObject({ apiVersion: `${group}/v2`, spec: { spokes: 8 } });
});
