import { clusterOperator } from '@capstan/api/config';
import { crd } from '@capstan/api/model';
import { Client, HttpTransport, loadConnection } from '@capstan/kube';
import { ignoreNotFound, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';
import { COMPONENTS } from './components.js';
import type { ComponentName } from './components.js';

vi.setConfig({ testTimeout: 180_000 });

const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
const REQUIREMENTS = {
  group: 'apiextensions.openshift.io',
  version: 'v1alpha1',
  plural: 'compatibilityrequirements',
  namespaced: false,
};
const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const POLICIES = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingadmissionpolicies',
  namespaced: false,
};
const CRDS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const PRIVATE = 'cluster.hypershift.openshift.io';
/** What each component runs, on standard Cluster API types. */
const DEPLOYMENT_OF: Readonly<Record<ComponentName, string>> = {
  'crd-compatibility': 'crd-compatibility',
  'capi-operator': 'capi-operator',
  'machine-api': 'machine-api-migration',
  'conversion-shim': 'capi-conversion-webhook-shim',
  hypershift: 'operator',
};
const COMPONENT_NAMES = Object.keys(COMPONENTS) as ComponentName[];
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Cluster {
  readonly client: Client;
  readonly install: (...args: readonly string[]) => Promise<{ code: number; out: string; err: string }>;
}

async function started(...argv: readonly string[]): Promise<Cluster> {
  const server = new TestIo();
  const ended = main(argv, server);
  const { kubeconfig } = JSON.parse(await server.firstLine()) as { kubeconfig: string };
  const transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
  cleanups.push(async () => {
    await transport.close();
    server.stop();
    await ended;
  });
  const install = async (...args: readonly string[]) => {
    const io = new TestIo();
    const code = await main(['install', '--kubeconfig', kubeconfig, ...args], io);
    return { code, out: io.stdout, err: io.stderr };
  };
  return { client: new Client(transport), install };
}

describe.each<[string, readonly string[]]>([
  ['capstan apiserver', ['apiserver']],
  ['capstan up', ['up', '--hosted', '0', '--fleet', '0']],
])('capstan install into %s', (_, argv) => {
  it('every component becomes available with the default image, and is uninstalled at the first try', async () => {
    const { client, install } = await started(...argv);
    const components = ['--component', 'all'];
    const installed = await install(...components, '--timeout', '90s');
    expect([installed.code, installed.err]).toEqual([0, expect.any(String)]);
    for (const name of COMPONENT_NAMES)
      expect(installed.out).toContain(`deployment.apps/${DEPLOYMENT_OF[name]} available\n`);
    await client.create(REQUIREMENTS, {
      apiVersion: 'apiextensions.openshift.io/v1alpha1',
      kind: 'CompatibilityRequirement',
      metadata: { name: 'clusteroperators' },
      spec: {
        compatibilitySchema: {
          customResourceDefinition: { type: 'YAML', data: JSON.stringify(crd(clusterOperator)) },
          requiredVersions: { defaultSelection: 'StorageOnly' },
        },
      },
    });
    // The version before goes on running: that is not what was asked for, however often it is.
    for (const _round of [1, 2])
      expect(await install('--component', 'capi-operator', '--image', 'x/y', '--timeout', '90s')).toMatchObject({
        code: 1,
        err: expect.stringContaining('StartError') as string,
      });
    expect(await install(...components, '--uninstall', '--timeout', '90s')).toMatchObject({ code: 0, err: '' });
    for (const name of COMPONENT_NAMES) {
      const at = { namespace: COMPONENTS[name].namespace };
      await expect(client.get(DEPLOYMENTS, DEPLOYMENT_OF[name], at)).rejects.toSatisfy(isNotFound);
    }
  });
});

describe('capstan install --private-capi-types', () => {
  it('runs the new operator behind its proxy, which deletes the legacy operator where no cluster needs it', async () => {
    const { client, install } = await started('apiserver');
    const { code, err, out } = await install('--private-capi-types', '--timeout', '90s');
    expect([code, err]).toEqual([0, expect.stringContaining('nothing is there for operator-legacy')]);
    for (const name of ['capi-conversion-webhook-shim', 'operator'])
      expect(out).toContain(`deployment.apps/${name} available\n`);
    const at = { namespace: 'hypershift' };
    await vi.waitFor(() => expect(client.get(DEPLOYMENTS, 'operator-legacy', at)).rejects.toSatisfy(isNotFound), {
      timeout: 90_000,
      interval: 200,
    });
    const { items } = await client.list(PODS, { ...at, labelSelector: 'app=operator' });
    expect(items).toMatchObject([
      { status: { initContainerStatuses: [{ name: 'kube-apiserver-proxy', ready: true }] } },
    ]);
  });
});

describe('private CRDs that are changed after capstan install', () => {
  it('are restored by the operator: while it runs, and before it starts', async () => {
    const { client, install } = await started('apiserver');
    await install('--private-capi-types', '--own-certificate', '--timeout', '90s');
    const at = { namespace: 'hypershift' };
    const [machines, clusters, sets] = ['machines', 'clusters', 'machinesets'].map((each) => `${each}.${PRIVATE}`);
    const find = (name = ''): Promise<KubeObject | undefined> => client.get(CRDS, name).catch(ignoreNotFound);
    const [before, gone] = [await find(machines), await find(clusters)];
    const isAsBefore = async (): Promise<void> => {
      expect((await find(machines))?.['spec']).toEqual(before?.['spec']);
      expect((await find(clusters))?.['spec']).toEqual(gone?.['spec']);
    };
    // Nothing is written while nothing has changed.
    expect(before?.metadata.generation).toBe(1);
    const clientConfig = { caBundle: null, service: { namespace: 'elsewhere' } };
    const broken = { spec: { conversion: { webhook: { clientConfig } } } };
    await client.patch(CRDS, machines ?? '', { type: 'merge', value: broken });
    await client.delete(CRDS, clusters ?? '');
    await vi.waitFor(isAsBefore, { timeout: 60_000, interval: 200 });

    const scale = (replicas: number) =>
      client.patch(DEPLOYMENTS, 'operator', { type: 'merge', value: { spec: { replicas } } }, at);
    await scale(0);
    const pods = async (): Promise<number> =>
      (await client.list(PODS, { ...at, labelSelector: 'app=operator' })).items.length;
    await vi.waitFor(async () => expect(await pods()).toBe(0), { timeout: 60_000, interval: 200 });
    // The operator would not start without either.
    await client.patch(CRDS, machines ?? '', { type: 'merge', value: broken });
    for (const each of [clusters, sets]) await client.delete(CRDS, each ?? '');
    await scale(1);
    await vi.waitFor(isAsBefore, { timeout: 60_000, interval: 200 });
    await vi.waitFor(
      async () => expect(await client.get(DEPLOYMENTS, 'operator', at)).toMatchObject({ status: { readyReplicas: 1 } }),
      { timeout: 60_000, interval: 200 },
    );
  });
});

describe('capstan install reports why it does not become available', () => {
  it('as soon as that is certain, for an image without the command and for pods that are refused', async () => {
    const { client, install } = await started('apiserver');
    const wrong = await install('--component', 'capi-operator', '--image', 'registry.example/wrong:1');
    expect(wrong.code).toBe(1);
    expect(wrong.err).toMatch(
      /^error: deployment\.apps\/capi-operator is not available: pod capi-operator-\S+, container capi-operator: StartError: exec: "capstan": executable file not found in \$PATH\ngive an image that has the capstan command/m,
    );
    await client.create(POLICIES, refusal());
    await client.create({ ...POLICIES, plural: 'validatingadmissionpolicybindings' }, refusalBinding());
    const refused = await install('--component', 'capi-operator', '-n', 'refused', '--timeout', '5s');
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(
        /is not available after 5 s: its pods cannot be created: pods "capi-operator-\S+" is forbidden: .*no pods here\nlift what refuses them/,
      ),
    ]);
  });

  it.each<[string, readonly string[]]>([
    ['no nodes', ['--nodes', '0']],
    ['no controllers either', ['--no-controllers']],
  ])('at once where there are %s', async (_, options) => {
    const { install } = await started('apiserver', ...options);
    const { code, err } = await install('--component', 'crd-compatibility', '--own-certificate');
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /error: deployment\.apps\/crd-compatibility is not available: the cluster has no nodes, its pods cannot run\nadd a node, or give --no-wait/,
      ),
    ]);
  });
});

/** Lets no pod into the namespace `refused`. */
function refusal(): KubeObject {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'no-pods' },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: 'object.metadata.namespace != "refused"', message: 'no pods here' }],
    },
  };
}

function refusalBinding(): KubeObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'no-pods' },
    spec: { policyName: 'no-pods', validationActions: ['Deny'] },
  };
}
