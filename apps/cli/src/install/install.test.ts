import { Client, HttpTransport, loadConnection } from '@capstan/kube';
import type { ResourceRef } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { DEFINITIONS, REQUIREMENTS } from '../crds/lists.js';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';
import { TIMEOUT_MS } from '../testing-server.js';
import { refOf } from './cluster.js';
import { COMPONENTS } from './components.js';
import { uninstall } from './uninstall.js';

vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });

const SERVER = new TestIo();
const CONFIGURATIONS = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};
const FINALIZER = 'compatibilityrequirement.operator.openshift.io/finalizer';
let served: Promise<number>;
let kubeconfig = '';
let transport: HttpTransport;
let client: Client;

beforeAll(async () => {
  served = main(['apiserver', '--no-controllers'], SERVER);
  ({ kubeconfig } = JSON.parse(await SERVER.firstLine()) as { kubeconfig: string });
  transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
  client = new Client(transport);
});

afterAll(async () => {
  await transport.close();
  SERVER.stop();
  await served;
});

async function install(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const io = new TestIo();
  const code = await main(['install', '--kubeconfig', kubeconfig, ...args], io);
  return { code, out: io.stdout, err: io.stderr };
}

async function find(ref: ResourceRef, name: string, namespace?: string): Promise<KubeObject | undefined> {
  return client.get(ref, name, { namespace }).catch(ignoreNotFound);
}

const CHECKER = ['--component', 'crd-compatibility'] as const;
const BOTH = [...CHECKER, '--component', 'capi-operator'] as const;

async function rendered(...args: readonly string[]): Promise<KubeObject[]> {
  const { code, err, out } = await install(...args, '--render');
  expect([code, err]).toEqual([0, '']);
  return parseAllDocuments(out).map((each) => each.toJS() as KubeObject);
}

describe('capstan install', () => {
  it('renders everything in the order in which it can be applied', async () => {
    const kinds = (await rendered(...CHECKER, '--service-monitor')).map(({ kind }) => kind);
    expect(kinds).toEqual([
      'CustomResourceDefinition',
      'Namespace',
      'ServiceAccount',
      'ClusterRole',
      'ClusterRoleBinding',
      'Role',
      'RoleBinding',
      'Role',
      'RoleBinding',
      'Service',
      'Deployment',
      'PodDisruptionBudget',
      'ServiceMonitor',
      'PrometheusRule',
    ]);
    expect((await rendered(...CHECKER, '--single-node')).map(({ kind }) => kind)).not.toContain('PodDisruptionBudget');
  });

  it('checks without changing anything', async () => {
    const { code, out } = await install('--component', 'capi-operator', '--dry-run');
    expect(out).toContain(
      'customresourcedefinition.apiextensions.k8s.io/clusterapis.operator.openshift.io installed (dry run)\n',
    );
    expect(out).toContain(
      'clusterapi.operator.openshift.io/cluster not checked: what it needs is not there yet (dry run)\n',
    );
    expect([code, await find(DEFINITIONS, 'clusterapis.operator.openshift.io')]).toEqual([0, undefined]);
  });

  it('installs what it renders, twice without harm', async () => {
    for (const round of [1, 2]) {
      const { code, err } = await install(...BOTH, '--no-wait', '--own-certificate', '--platform', 'AWS');
      expect([round, code, err]).toEqual([round, 0, '']);
    }
    for (const object of await rendered(...BOTH, '--own-certificate', '--platform', 'AWS')) {
      const { name = '', namespace } = object.metadata;
      expect([object.kind, (await find(refOf(object), name, namespace))?.metadata.name]).toEqual([object.kind, name]);
    }
  });

  it.each(['crd-compatibility', 'capi-operator', 'conversion-shim'] as const)(
    'refuses an earlier version of %s over a later one',
    async (component) => {
      const flags = ['--component', component, '--no-wait', '--own-certificate', '--platform', 'AWS'];
      expect((await install(...flags)).code).toBe(0);
      const deployments = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
      const name = component === 'conversion-shim' ? 'capi-conversion-webhook-shim' : component;
      const [{ metadata } = { metadata: {} as KubeObject['metadata'] }] = (await client.list(deployments)).items.filter(
        (each) => each.metadata.name === name,
      );
      const at = { namespace: metadata.namespace };
      const set = (version: string): Promise<KubeObject> =>
        client.patch(
          deployments,
          name,
          { type: 'merge', value: { metadata: { annotations: { 'capstan.dev/version': version } } } },
          at,
        );
      await set('9.0.0');
      const { code, err, out } = await install(...flags);
      expect([code, out, err]).toEqual([1, '', expect.stringContaining(`${name} is of version 9.0.0`) as string]);
      await set('0.0.1');
      expect((await install(...flags)).code).toBe(0);
    },
  );

  it('makes keys once, and what is its users’ once', async () => {
    const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
    const at = 'openshift-compatibility-requirements-operator';
    const before = await find(secrets, 'crd-compatibility-serving-cert', at);
    const clusterApis = {
      group: 'operator.openshift.io',
      version: 'v1alpha1',
      plural: 'clusterapis',
      namespaced: false,
    };
    const value = { spec: { unmanagedCustomResourceDefinitions: ['a.b.io'] } };
    await client.patch(clusterApis, 'cluster', { type: 'merge', value });
    await install(...BOTH, '--no-wait', '--own-certificate');
    expect(await find(secrets, 'crd-compatibility-serving-cert', at)).toEqual(before);
    expect(await find(clusterApis, 'cluster')).toMatchObject(value);
  });

  it('takes no field of a CRD that the platform owns', async () => {
    const name = 'clusteroperators.config.openshift.io';
    const value = { metadata: { labels: { 'config.openshift.io/owner': 'cluster-version-operator' } } };
    await client.patch(DEFINITIONS, name, { type: 'merge', value });
    const before = await find(DEFINITIONS, name);
    const { out } = await install('--component', 'capi-operator', '--no-wait', '--own-certificate');
    expect(out).toContain(`customresourcedefinition.apiextensions.k8s.io/${name} kept\n`);
    expect(await find(DEFINITIONS, name)).toEqual(before);
  });

  it('uninstalls the checker with everything that could block writes, and leaves the objects of users', async () => {
    const metadata = { labels: { 'app.kubernetes.io/managed-by': 'crd-compatibility' } };
    for (const name of ['crd-compatibility-requirements', 'of-a-requirement'])
      await client.create(CONFIGURATIONS, configuration({ ...metadata, name }));
    await client.create(CONFIGURATIONS, configuration({ name: 'of-another-owner' }));
    await client.create(REQUIREMENTS, requirement('mine'));
    const { code, out } = await install(...CHECKER, '--uninstall');
    expect([code, out.split('\n')[0]]).toEqual([0, 'deployment.apps/crd-compatibility stopped']);
    const { items } = await client.list(CONFIGURATIONS);
    expect(items.map((each) => each.metadata.name)).toEqual(['of-another-owner']);
    expect((await find(REQUIREMENTS, 'mine'))?.metadata.finalizers).toBeUndefined();
    const ours = (await rendered(...CHECKER)).filter(
      ({ kind }) => !['CustomResourceDefinition', 'Namespace'].includes(kind),
    );
    for (const object of ours)
      expect([object.kind, await find(refOf(object), object.metadata.name ?? '', object.metadata.namespace)]).toEqual([
        object.kind,
        undefined,
      ]);
    expect(await install(...CHECKER, '--uninstall')).toMatchObject({ code: 0, out: '' });
  });

  it('gives kubectl columns of requirements: which CRD, whether it is enforced and met, what a violation leads to', async () => {
    await install(...CHECKER, '--no-wait', '--own-certificate');
    const { body } = await client.request({
      method: 'GET',
      resource: REQUIREMENTS,
      name: '',
      target: '/apis/apiextensions.openshift.io/v1alpha1/compatibilityrequirements',
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    const table = (body.type === 'payload' ? body.value() : {}) as { columnDefinitions: { name: string }[] };
    const names = table.columnDefinitions.map(({ name }) => name);
    expect(names).toEqual(['Name', 'CRD', 'Admitted', 'Progressing', 'Compatible', 'Action', 'Age']);
  });

  it('releases a requirement that is written in between', async () => {
    await install(...CHECKER, '--no-wait', '--own-certificate');
    await client.create(REQUIREMENTS, requirement('busy'));
    let writes = 0;
    const busy: Transport = {
      send: async (request) => {
        if (request.method === 'PATCH' && request.target.includes('/compatibilityrequirements/busy') && writes < 3) {
          writes += 1;
          const value = { metadata: { labels: { written: String(writes) } } };
          await client.patch(REQUIREMENTS, 'busy', { type: 'merge', value });
        }
        return transport.send(request);
      },
    };
    const settings = { image: 'x', namespace: COMPONENTS['crd-compatibility'].namespace, isSingleNode: false };
    await uninstall(new Client(busy), COMPONENTS['crd-compatibility'], {
      settings: {
        ...settings,
        version: '0.1.0',
        monitor: false,
        hasOwnCa: true,
        isPrivate: false,
        native: true,
        caBundles: {},
        groups: [],
      },
      options: { timeout: 10_000 },
      io: new TestIo(),
    });
    const { metadata } = await client.get(REQUIREMENTS, 'busy');
    expect([writes, metadata.labels, metadata.finalizers]).toEqual([3, { written: '3' }, undefined]);
  });

  it('deletes CRDs with --purge', async () => {
    const { code, out } = await install('--component', 'capi-operator', '--uninstall', '--purge');
    expect([code, out]).toEqual([0, expect.stringContaining('clusterapis.operator.openshift.io deleted\n')]);
    expect(await find(DEFINITIONS, 'compatibilityrequirements.apiextensions.openshift.io')).toBeUndefined();
    expect(await find(DEFINITIONS, 'clusteroperators.config.openshift.io')).toBeDefined();
  });

  it.each<[readonly string[], string]>([
    [
      ['--component', 'frob'],
      'Allowed choices are hypershift, conversion-shim, crd-compatibility, capi-operator, machine-api, all.',
    ],
    [['--component', 'all', '-n', 'one'], '--namespace is for one component: each has its own'],
    [[...CHECKER, '--private-capi-types'], '--private-capi-types is for the component hypershift'],
    [['--crds-from', 'x.yaml'], '--crds-from needs --private-capi-types'],
    [[...CHECKER, '--render', '--uninstall'], '--render and --uninstall exclude each other'],
    [[...CHECKER, '--purge'], '--purge needs --uninstall'],
    // Not taken for a request to print.
    [[...CHECKER, '-o', 'yaml'], '--output needs --render'],
    [[...CHECKER, '--render', '--dry-run'], '--dry-run is for installing'],
    [[...BOTH, '-n', 'one'], '--namespace is for one component: each has its own'],
  ])('%j is a usage error', async (args, message) => {
    const { code, err, out } = await install(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});

function configuration(metadata: KubeObject['metadata']): KubeObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata,
    webhooks: [],
  };
}

function requirement(name: string): KubeObject {
  return {
    apiVersion: 'apiextensions.openshift.io/v1alpha1',
    kind: 'CompatibilityRequirement',
    metadata: { name, finalizers: [FINALIZER] },
    spec: {
      compatibilitySchema: {
        customResourceDefinition: { type: 'YAML', data: 'x' },
        requiredVersions: { defaultSelection: 'StorageOnly' },
      },
    },
  };
}
