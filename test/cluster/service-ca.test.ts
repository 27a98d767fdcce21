import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { ApiServer, HttpsCaller } from '@capstan/apiserver';
import { EndpointsController, ServiceCaController, SocketLink } from '@capstan/cluster';
import type { ContainerContext, PodNetwork, RunningProgram } from '@capstan/cluster';
import { systemClock, systemRandom } from '@capstan/kube';
import type { Clock, KubeObject } from '@capstan/meta';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PodCluster } from './virtual-cluster.js';

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
const wheels = (version: string) => ({ group: 'example.com', version, plural: 'wheels', namespaced: true });
const INJECT = { 'service.beta.openshift.io/inject-cabundle': 'true' };
const SERVICE = { namespace: 'default', name: 'hooks' };
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
      : { uid, allowed: false, status: { message: 'the pod says no' } };
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

let on: PodCluster<Clock>;
let webhooks: HttpsCaller;

beforeEach(async () => {
  const services: { find?: PodNetwork['findService'] } = {};
  webhooks = new HttpsCaller({
    resolveService: ({ name, namespace, port = 443 }) => services.find?.(namespace, name, port),
  });
  const clock = systemClock();
  on = new PodCluster({
    clock,
    link: new SocketLink(),
    server: new ApiServer({ clock, random: systemRandom(), webhooks }),
    beside: (options) => [new EndpointsController(options), new ServiceCaController(options)],
  });
  const { network } = on.runtime;
  services.find = network.findService.bind(network);
  await on.start();
});

afterEach(async () => {
  await on.stop();
  webhooks.close();
});

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
      ...SERVICE,
      annotations: { 'service.beta.openshift.io/serving-cert-secret-name': 'hooks-tls' },
    },
    spec: { selector: { app: 'hooks' }, ports: [{ port: 443, targetPort: 9443 }] },
  });
}

const webhook = {
  name: 'hooks.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { service: SERVICE },
  rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
};

const configuration = (annotations: Record<string, string>): KubeObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'hooks', annotations },
  webhooks: [webhook],
});

async function refusalOfMap(): Promise<string> {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'default' } };
  return on.client.create(core('configmaps'), map, { dryRun: true }).then(
    () => 'admitted',
    (error: Error) => error.message,
  );
}

it('a webhook in a pod serves with the certificate of its service, and the injected bundle trusts it', async () => {
  await serveHooks();
  await on.client.create(CONFIGURATIONS, configuration(INJECT));
  await expect
    .poll(refusalOfMap, LIMIT)
    .toBe('admission webhook "hooks.example.com" denied the request: the pod says no');
});

it('the same webhook without the injected bundle is not believed', async () => {
  await serveHooks();
  await on.client.create(CONFIGURATIONS, configuration({}));
  await expect
    .poll(refusalOfMap, LIMIT)
    .toMatch(/^Internal error occurred: failed calling webhook .* tls: failed to verify certificate: x509: /);
  const {
    webhooks: [first],
  } = (await on.client.get(CONFIGURATIONS, 'hooks')) as unknown as {
    webhooks: { clientConfig: { caBundle?: string } }[];
  };
  expect(first?.clientConfig.caBundle).toBeUndefined();
});

it('a definition is converted by a pod in the same way', async () => {
  await serveHooks();
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  };
  await on.client.create(DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'wheels.example.com', annotations: INJECT },
    spec: {
      group: 'example.com',
      names: { plural: 'wheels', kind: 'Wheel' },
      scope: 'Namespaced',
      versions: ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema })),
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v1'], clientConfig: { service: SERVICE } },
      },
    },
  } as KubeObject);
  const metadata = { name: 'w', namespace: 'default' };
  const wheel = { apiVersion: 'example.com/v1', kind: 'Wheel', metadata, spec: { spokes: 8 } };
  await expect
    .poll(
      () =>
        on.client.create(wheels('v1'), wheel).then(
          () => true,
          () => false,
        ),
      LIMIT,
    )
    .toBe(true);
  await expect
    .poll(() => on.client.get(wheels('v2'), 'w', { namespace: 'default' }).catch(String), LIMIT)
    .toMatchObject({ apiVersion: 'example.com/v2', spec: { spokes: 8 } });
});
