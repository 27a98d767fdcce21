import { Client, createCa, kubeconfigJson } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { RegistryReleases } from '@capstan/release';
import { Cloud } from '@capstan/upstream';
import { beforeEach, describe, expect, it } from 'vitest';
import { Fleet } from '../guests/fleet.js';
import { nodeBindings } from '../guests/guest-cluster.js';
import { KnownServers } from '../guests/known-servers.js';
import { FixtureRegistry } from '../registry/fixture-registry.js';
import { carriedTransport } from '../registry/ways.js';
import { operatorProcess } from '../runtime/process.js';
import { Simulation } from '../engine/simulation.js';
import { nextVersionStatus } from './cluster-version.js';
import type { ClusterVersion } from './cluster-version.js';
import { HostedGuests } from './hosted-guests.js';
import { IgnitionServers } from './ignition.js';
import { loadBalancers, namedBalancer } from './load-balancers.js';
import { hostedComponents, operatorOf } from './components.js';
import { readTokenFile } from './token-file.js';
import { workloadsProcess } from './workloads.js';

const HOME = 'clusters-one';
const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
const SERVICES = { group: '', version: 'v1', plural: 'services', namespaced: true };
const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const REQUESTS = {
  group: 'certificates.k8s.io',
  version: 'v1',
  plural: 'certificatesigningrequests',
  namespaced: false,
};
const ADMIN = { username: 'admin', groups: ['system:masters'] };
const SERVICE_URL = `https://kube-apiserver.${HOME}.svc:6443`;

function secret(name: string, values: Record<string, string>, annotations = {}): KubeObject {
  const encoded = Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: HOME, annotations },
    data: Object.fromEntries(encoded),
  } as KubeObject;
}

function deployment(name: string, args: readonly string[], secrets: readonly string[]): KubeObject {
  const labels = { app: name };
  const volumes = secrets.map((each) => ({ name: each, secret: { secretName: each } }));
  const volumeMounts = secrets.map((each) => ({ name: each, mountPath: `/etc/${each}` }));
  const container = { name, image: `registry.example.com/openshift/${name}`, args, volumeMounts };
  const spec = {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { volumes, containers: [container] } },
  };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: HOME }, spec } as KubeObject;
}

interface Fixture {
  readonly simulation: Simulation;
  readonly client: Client;
  readonly cloud: Cloud;
  readonly guests: HostedGuests;
  readonly guest: Client;
  readonly release: string;
  until(what: () => Promise<boolean>): Promise<void>;
}

/** A control plane put together by hand. */
async function fixture(): Promise<Fixture> {
  const simulation = new Simulation({ seed: 1 });
  const clock = simulation.timeline.clock();
  const random = simulation.random.split('stage');
  const known = new KnownServers(clock);
  const guests = new HostedGuests({ clock, random: random.split('guests'), known });
  const ignition = new IgnitionServers();
  const registry = new FixtureRegistry({ host: 'registry.example.com' });
  const { byTag: release } = await registry.add({
    version: '4.22.0',
    kubernetesVersion: '1.35.2',
    components: ['hyperkube'],
  });
  const transport = carriedTransport(
    () => registry,
    (_, act) => Promise.resolve(act()),
  );
  const releases = new RegistryReleases({ transport, clock });
  const cloud = new Cloud({ clock, random: random.split('cloud') });
  const components = hostedComponents({ cloud, guests, ignition, releases });
  const stopped = (namespace: string, name: string): void =>
    name === 'kube-apiserver' ? guests.get(namespace)?.lower() : undefined;
  simulation.spawn(
    workloadsProcess({
      host: simulation,
      servers: known,
      stopped,
      operatorOf: (container) => operatorOf(components, container),
    }),
  );
  const balancer = namedBalancer((service, host) =>
    service.metadata.name === 'kube-apiserver' ? guests.answersAt(HOME, `https://${host}:6443`) : undefined,
  );
  simulation.spawn(operatorProcess(loadBalancers(balancer)));
  void new Fleet({
    cloud,
    clock,
    random: random.split('fleet'),
    connect: (connection) => known.transport(connection),
    fetchIgnition: ignition.fetch,
    kubeletOf: (version) => (version === '4.22.1' ? 'v1.35.3' : undefined),
    isSimulated: true,
  });
  const client = new Client(simulation.server, { clock, random: random.split('client') });
  const guest = new Client(guests.ensure(HOME).server, { clock, random: random.split('guest'), user: ADMIN });
  const until = async (what: () => Promise<boolean>): Promise<void> => {
    for (let step = 0; step < 300; step += 1) {
      if (await what()) return;
      await simulation.runUntil(simulation.elapsed + 1000);
    }
    throw new Error(`not reached after ${simulation.elapsed} ms`);
  };
  return { simulation, client, cloud, guests, guest, release, until };
}

async function raise({ client, release, simulation }: Fixture): Promise<void> {
  const now = simulation.timeline.clock().now();
  const keys = { keyFrom: simulation.random.split('ca'), random: simulation.random.split('serial') };
  const ca = createCa({ commonName: 'root-ca', now, ...keys });
  const serving = ca.issueServing({ commonName: 'kube-apiserver', dnsNames: ['kube-apiserver'], now, ...keys });
  const config = (token: string): string => kubeconfigJson({ server: SERVICE_URL, token, name: 'one', userName: 'u' });
  const tokens = [
    'admin-token,system:admin,,"system:masters"',
    'boot,system:serviceaccount:openshift-machine-config-operator:node-bootstrapper,,"system:serviceaccounts"',
  ];
  await client.create(
    { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: HOME } },
  );
  for (const each of [
    secret('root-ca', { 'ca.crt': ca.certPem, 'ca.key': ca.keyPem }),
    secret('kas-server-crt', { 'tls.crt': serving.certPem, 'tls.key': serving.keyPem }),
    secret('kas-tokens', { 'tokens.csv': tokens.join('\n') }),
    secret('admin', { kubeconfig: config('admin-token') }),
    secret('bootstrap-kubeconfig', { kubeconfig: config('boot') }),
    secret(
      'token-pool-abcd1234',
      { token: 'let-me-in', release },
      { 'hypershift.openshift.io/ignition-config': 'true' },
    ),
  ])
    await client.create(SECRETS, each);
  const apiserver = [
    '--client-ca-file=/etc/root-ca/ca.crt',
    '--token-auth-file=/etc/kas-tokens/tokens.csv',
    '--tls-cert-file=/etc/kas-server-crt/tls.crt',
    '--tls-private-key-file=/etc/kas-server-crt/tls.key',
  ];
  const controllers = [
    '--kubeconfig=/etc/admin/kubeconfig',
    '--cluster-signing-cert-file=/etc/root-ca/ca.crt',
    '--cluster-signing-key-file=/etc/root-ca/ca.key',
  ];
  await client.create(
    DEPLOYMENTS,
    deployment('kube-apiserver', apiserver, ['root-ca', 'kas-tokens', 'kas-server-crt']),
  );
  await client.create(DEPLOYMENTS, deployment('kube-controller-manager', controllers, ['admin', 'root-ca']));
  await client.create(DEPLOYMENTS, deployment('ignition-server', [], []));
}

const USER_DATA = JSON.stringify({
  ignition: {
    config: {
      merge: [
        {
          source: `https://ignition-server.${HOME}.svc/ignition`,
          httpHeaders: [{ name: 'Authorization', value: `Bearer ${Buffer.from('let-me-in').toString('base64')}` }],
        },
      ],
    },
  },
});

interface Request extends KubeObject {
  readonly status?: { readonly conditions?: readonly object[] };
}

describe('a hosted cluster put together by hand', () => {
  let here: Fixture;
  beforeEach(async () => {
    here = await fixture();
    await raise(here);
    await here.until(async () => here.guests.get(HOME)?.isUp === true);
  });

  /** What a machine approver would do. */
  async function approveAll(): Promise<void> {
    const { items } = await here.guest.list<Request>(REQUESTS);
    for (const request of items) {
      if ((request.status?.conditions ?? []).length > 0) continue;
      const at = new Date(here.simulation.timeline.clock().now()).toISOString();
      const approved = { type: 'Approved', status: 'True', reason: 'Test', message: '', lastUpdateTime: at };
      await here.guest.update(REQUESTS, { ...request, status: { conditions: [approved] } } as KubeObject, {
        subresource: 'approval',
      });
    }
  }

  async function join(): Promise<KubeObject & Record<string, never>> {
    for (const binding of nodeBindings())
      await here.guest.create(
        { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'clusterrolebindings', namespaced: false },
        binding,
      );
    here.cloud.create('test', {
      platform: 'aws',
      name: 'm-0',
      token: 'm-0',
      type: 'm6i',
      image: 'ami',
      zone: 'a',
      region: 'r',
      userData: USER_DATA,
      tags: {},
    } as never);
    let nodes: readonly KubeObject[] = [];
    await here.until(async () => {
      await approveAll();
      ({ items: nodes } = await here.guest.list(NODES));
      return nodes.length > 0;
    });
    return nodes[0] as KubeObject & Record<string, never>;
  }

  it('takes a node that fetched its configuration with its token', async () => {
    const node = await join();
    expect(node).toMatchObject({
      metadata: { annotations: { 'machineconfiguration.openshift.io/currentConfig': 'abcd1234' } },
      status: { nodeInfo: { kubeletVersion: 'v1.35.2' } },
    });
    const token = await here.client.get(SECRETS, 'token-pool-abcd1234', { namespace: HOME });
    expect(token.metadata.annotations).toMatchObject({ 'hypershift.openshift.io/ignition-reached': 'true' });
  });

  it('reconfigures a node when asked to', async () => {
    const { metadata } = await join();
    const annotations = {
      'machineconfiguration.openshift.io/desiredConfig': 'ffff0000',
      'hypershift.openshift.io/desired-release': '4.22.1',
    };
    await here.guest.patch(NODES, metadata.name ?? '', { type: 'merge', value: { metadata: { annotations } } });
    await here.until(async () => {
      const node = await here.guest.get(NODES, metadata.name ?? '');
      return node.metadata.annotations?.['machineconfiguration.openshift.io/currentConfig'] === 'ffff0000';
    });
    const node = await here.guest.get(NODES, metadata.name ?? '');
    expect(node).toMatchObject({ status: { nodeInfo: { kubeletVersion: 'v1.35.3' } } });
  });

  it('leaves a node as it is whose pool is replaced: nothing on it looks', async () => {
    const replaced = { metadata: { annotations: { 'hypershift.openshift.io/node-pool-upgrade-type': 'Replace' } } };
    const patch = { type: 'merge', value: replaced } as const;
    await here.client.patch(SECRETS, 'token-pool-abcd1234', patch, { namespace: HOME });
    const { metadata } = await join();
    const annotations = { 'machineconfiguration.openshift.io/desiredConfig': 'ffff0000' };
    await here.guest.patch(NODES, metadata.name ?? '', { type: 'merge', value: { metadata: { annotations } } });
    await here.simulation.runUntil(here.simulation.elapsed + 60_000);
    const node = await here.guest.get(NODES, metadata.name ?? '');
    expect(node.metadata.annotations).toMatchObject({
      'machineconfiguration.openshift.io/currentConfig': 'abcd1234',
      ...annotations,
    });
  });

  it('is reached at the address of its load balancer', async () => {
    const spec = { type: 'LoadBalancer', selector: { app: 'kube-apiserver' }, ports: [{ port: 6443 }] };
    await here.client.create(SERVICES, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kube-apiserver', namespace: HOME },
      spec,
    } as KubeObject);
    await here.until(async () => {
      const { status } = (await here.client.get(SERVICES, 'kube-apiserver', { namespace: HOME })) as KubeObject & {
        status?: { loadBalancer?: { ingress?: readonly object[] } };
      };
      return (status?.loadBalancer?.ingress ?? []).length === 1;
    });
  });

  it('does not answer while no process serves it, and has lost nothing afterwards', async () => {
    const map = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };
    await here.guest.create(map, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kept', namespace: 'default' },
    });
    const old = await here.client.get(DEPLOYMENTS, 'kube-apiserver', { namespace: HOME });
    await here.client.delete(DEPLOYMENTS, 'kube-apiserver', { namespace: HOME });
    const guest = here.guests.ensure(HOME);
    await here.until(async () => !guest.isUp);
    await expect(guest.handle({ method: 'GET', target: '/version', headers: {} })).rejects.toThrow(
      'no kube-apiserver of the hosted cluster is running',
    );
    const { name, namespace } = old.metadata;
    await here.client.create(DEPLOYMENTS, { ...old, metadata: { name, namespace } } as KubeObject);
    await here.until(async () => guest.isUp);
    expect(await here.guest.get(map, 'kept', { namespace: 'default' })).toBeDefined();
  });
});

describe('the status that a cluster version operator writes', () => {
  const version = (status?: object): ClusterVersion =>
    ({
      apiVersion: 'config.openshift.io/v1',
      kind: 'ClusterVersion',
      metadata: { name: 'version', generation: 2 },
      status,
    }) as ClusterVersion;
  const facts = { image: 'r@sha256:1', version: '4.22.0', hasNodes: false, now: '2026-01-01T00:00:00Z' };

  it('a release is partial as long as there is no node', () => {
    const begun = nextVersionStatus(version(), facts);
    expect(begun?.history).toEqual([
      {
        state: 'Partial',
        startedTime: facts.now,
        completionTime: null,
        version: '4.22.0',
        image: 'r@sha256:1',
        verified: false,
      },
    ]);
    expect(nextVersionStatus(version(begun), { ...facts, now: 'later' })).toBeUndefined();
  });

  it('it is complete when there is one, and stays so without', () => {
    const begun = nextVersionStatus(version(), facts);
    const done = nextVersionStatus(version(begun), { ...facts, hasNodes: true, now: '2026-01-01T01:00:00Z' });
    expect(done?.history[0]).toMatchObject({ state: 'Completed', completionTime: '2026-01-01T01:00:00Z' });
    expect(nextVersionStatus(version(done), { ...facts, now: 'later' })).toBeUndefined();
  });

  it('another image begins a new entry and closes what was open', () => {
    const begun = nextVersionStatus(version(), facts);
    const other = { ...facts, image: 'r@sha256:2', version: '4.22.1', now: '2026-01-02T00:00:00Z' };
    const next = nextVersionStatus(version(begun), other);
    expect(next?.history.map(({ completionTime, state, version: of }) => [of, state, completionTime])).toEqual([
      ['4.22.1', 'Partial', null],
      ['4.22.0', 'Partial', '2026-01-02T00:00:00Z'],
    ]);
  });
});

it('a token file is read as kube-apiserver reads it', () => {
  const text = 'one,admin,7,"system:masters,ops"\n\ntwo,boot,,\nthree\n';
  expect([...readTokenFile(text)]).toEqual([
    ['one', { username: 'admin', uid: '7', groups: ['system:masters', 'ops', 'system:authenticated'] }],
    ['two', { username: 'boot', groups: ['system:authenticated'] }],
  ]);
});
