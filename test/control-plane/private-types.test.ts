import { serveHttp } from '@capstan/apiserver';
import { HOSTED_CONTROL_PLANES, MIGRATION_REPLICAS_ANNOTATION } from '@capstan/hosting';
import { fixedCredentials, HttpTransport, silentLogger } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { mappingFrom, startProxy } from '@capstan/proxy';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { embeddedServer } from '../src/conformance/backend.js';
import { ControlPlaneFixture } from './control-plane-fixture.js';
import type { Deployment } from './control-plane-fixture.js';
import { DEPLOYMENTS, ROLES } from './kinds.js';
import { NAME, payload } from './objects.js';

const PRIVATE = { PRIVATE_CAPI_TYPES: 'true', PROXY_IMAGE: 'registry.example.com/capstan:1' };
const USERS = ['cluster-autoscaler', 'hosted-cluster-config-operator', 'machine-approver'];
const KUBECONFIG = '/etc/kube-apiserver-proxy/kubeconfig';
const PROXY = 'kube-apiserver-proxy';
const LOCK = 'hypershift.openshift.io/migration-in-progress';
const NEXT = 'registry.example.com/release:4.22.1';

let server: ReturnType<typeof embeddedServer>;
let fixture: ControlPlaneFixture;

beforeEach(async () => {
  server = embeddedServer({});
  fixture = new ControlPlaneFixture(server, 'clusters-private');
  await fixture.open();
});
afterEach(() => fixture.close());

const hasProxy = ({ spec }: Deployment): boolean =>
  spec.template.spec.initContainers?.some(({ name }) => name === PROXY) === true;

async function deployments(): Promise<ReadonlyMap<string, Deployment>> {
  const { items } = await fixture.client.list<Deployment>(DEPLOYMENTS, { namespace: fixture.namespace });
  return new Map(items.map((each) => [each.metadata.name ?? '', each]));
}

/** Replaces the operator by one with another environment, and waits until it has nothing left to write. */
async function restart(running: { stop(): Promise<void> }, env: Readonly<Record<string, string>>): Promise<Running> {
  await running.stop();
  const next = await fixture.operator({ env });
  await fixture.quiet(1_000);
  return next;
}

type Running = Awaited<ReturnType<ControlPlaneFixture['operator']>>;

/** A control plane that is available, and its operator. */
async function raised(env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const running = await fixture.operator({ env });
  await fixture.create();
  await fixture.balance();
  await fixture.condition('Available', { status: 'True', reason: 'AsExpected' });
  await fixture.quiet();
  return running;
}

describe('A control plane operator on private types', () => {
  it('adds the proxy to the components that use Cluster API, and to no other', { timeout: 120_000 }, async () => {
    const running = await raised();
    const before = await deployments();
    const without = await restart(running, PRIVATE);
    const after = await deployments();
    const generation = (each: Deployment | undefined): number => each?.metadata.generation ?? 0;
    const changed = [...after].filter(([name, each]) => generation(each) !== generation(before.get(name)));
    expect(changed.map(([name]) => name)).toEqual(USERS);
    expect([...after].filter(([, each]) => hasProxy(each)).map(([name]) => name)).toEqual(USERS);
    await restart(without, {});
    const restored = await deployments();
    for (const [name, { spec }] of before) expect(restored.get(name)?.spec).toEqual(spec);
  });

  it('leads each component to the proxy by its own flag', async () => {
    await raised(PRIVATE);
    const found = await deployments();
    const container = (name: string): Deployment['spec']['template']['spec']['containers'][number] | undefined =>
      found.get(name)?.spec.template.spec.containers[0];
    expect(container('cluster-autoscaler')?.args).toContain(`--cloud-config=${KUBECONFIG}`);
    expect(container('machine-approver')?.args).toContain(`--management-cluster-kubeconfig=${KUBECONFIG}`);
    expect(container('hosted-cluster-config-operator')?.env).toContainEqual({ name: 'KUBECONFIG', value: KUBECONFIG });
    const [proxy] = found.get('hosted-cluster-config-operator')?.spec.template.spec.initContainers ?? [];
    expect(proxy).toMatchObject({ image: PRIVATE.PROXY_IMAGE, restartPolicy: 'Always' });
    expect(proxy?.args).toContain('--listen=127.0.0.1:18080');
  });

  it('uses a container of its own where nodes know no native sidecars', async () => {
    await raised({ ...PRIVATE, PROXY_NATIVE: 'false' });
    const { spec } = (await fixture.deployment('machine-approver')).spec.template;
    expect(spec.initContainers).toBeUndefined();
    expect(spec.containers.map(({ name }) => name)).toEqual([PROXY, 'machine-approver']);
  });

  it('refuses to start without the image of the proxy', async () => {
    await expect(fixture.operator({ env: { PRIVATE_CAPI_TYPES: 'true' } })).rejects.toThrow(
      'PRIVATE_CAPI_TYPES is true: set PROXY_IMAGE to the image of the API proxy',
    );
  });

  it('adds the proxy to a component whose dependencies are away, and changes nothing else of it', async () => {
    const running = await raised();
    fixture.releases.known.set(NEXT, payload('4.22.1'));
    fixture.held.add('kube-apiserver');
    await fixture.merge({ spec: { releaseImage: NEXT } });
    await fixture.component('machine-approver', 'RolloutComplete', { reason: 'WaitingForDependencies' });
    const { spec: before } = (await fixture.deployment('machine-approver')).spec.template;
    const proxied = await restart(running, PRIVATE);
    const { spec: after } = (await fixture.deployment('machine-approver')).spec.template;
    expect(after.containers[0]?.image).toBe(before.containers[0]?.image);
    expect(hasProxy(await fixture.deployment('machine-approver'))).toBe(true);
    await restart(proxied, {});
    expect((await fixture.deployment('machine-approver')).spec.template.spec).toEqual(before);
  });

  it('grants its components the private groups only, since it writes Roles through its own proxy', async () => {
    const http = await serveHttp(server, { port: 0 });
    const credentials = fixedCredentials({ headers: {} });
    const connection = { server: http.url, trust: {}, credentials, namespace: 'default' };
    const listen = { host: '127.0.0.1', port: 0 };
    const proxy = await startProxy({ listen, connection, mapping: mappingFrom(), logger: silentLogger(), drainMs: 0 });
    const transport = new HttpTransport({ ...connection, server: proxy.url });
    const running = await fixture.operator({ env: PRIVATE, transport });
    try {
      await fixture.create();
      await fixture.balance();
      await fixture.until(async () => (await fixture.find(DEPLOYMENTS, 'machine-approver')) !== undefined);
      await fixture.until(async () => (await fixture.find(DEPLOYMENTS, 'cluster-autoscaler')) !== undefined);
      await fixture.quiet();
      for (const name of USERS) {
        const role = await fixture.client.get<Role>(ROLES, name, { namespace: fixture.namespace });
        const groups = role.rules.flatMap(({ apiGroups }) => apiGroups);
        expect(groups).toContain('cluster.hypershift.openshift.io');
        expect(groups.filter((group) => /(?:^|\.)cluster\.x-k8s\.io$/.test(group))).toEqual([]);
      }
    } finally {
      await running.stop();
      await transport.close();
      await proxy.close();
      await http.close();
    }
  });
});

interface Role extends KubeObject {
  readonly rules: readonly { readonly apiGroups: readonly string[] }[];
}

describe('A control plane that a migration has locked', () => {
  const lock = (id: string | null): Promise<KubeObject> => fixture.merge({ metadata: { annotations: { [LOCK]: id } } });

  const drift = (): Promise<KubeObject> =>
    fixture.client.patch(
      DEPLOYMENTS,
      'machine-approver',
      { type: 'merge', value: { spec: { replicas: 5 } } },
      { namespace: fixture.namespace },
    );

  it('is acknowledged once, and not written again before the lock is removed', async () => {
    await raised();
    const before = fixture.writes.length;
    await lock('a1');
    await fixture.condition('ReconciliationActive', { status: 'False', reason: 'MigrationInProgress' });
    fixture.releases.known.set(NEXT, payload('4.22.1'));
    await fixture.merge({ spec: { releaseImage: NEXT } });
    await drift();
    await fixture.quiet(1_000);
    const path = `/namespaces/${fixture.namespace}/hostedcontrolplanes/${NAME}/status`;
    expect(fixture.writes.slice(before)).toEqual([expect.stringMatching(`^PUT .*${path}$`)]);
    await lock('b2');
    await fixture.condition('ReconciliationActive', { message: expect.stringContaining('migration lock b2') });
    expect((await fixture.deployment('machine-approver')).spec.replicas).toBe(5);
    await lock(null);
    await fixture.condition('ReconciliationActive', { status: 'True' });
    await fixture.until(async () => (await fixture.deployment('machine-approver')).spec.replicas === 1);
    await fixture.until(async () => (await fixture.components()).every(({ status }) => status?.version === '4.22.1'));
  });

  it('is not finalized before the lock is removed', async () => {
    await raised();
    await lock('a1');
    await fixture.condition('ReconciliationActive', { status: 'False', reason: 'MigrationInProgress' });
    const before = fixture.writes.length;
    await fixture.client.delete(HOSTED_CONTROL_PLANES, NAME, { namespace: fixture.namespace });
    await fixture.quiet(1_000);
    expect(fixture.writes.slice(before)).toEqual([]);
    await lock(null);
    await fixture.until(async () => (await fixture.find(HOSTED_CONTROL_PLANES, NAME)) === undefined);
  });
});

describe('A component that a migration has scaled down', () => {
  it('keeps its replicas and its annotation, and follows everything else', async () => {
    const running = await raised();
    const at = { namespace: fixture.namespace };
    const change = (replicas: number, recorded: string | null): Promise<KubeObject> => {
      const metadata = { annotations: { [MIGRATION_REPLICAS_ANNOTATION]: recorded } };
      const value = { metadata, spec: { replicas } };
      return fixture.client.patch(DEPLOYMENTS, 'kube-scheduler', { type: 'merge', value }, at);
    };
    await change(0, '1');
    fixture.releases.known.set(NEXT, payload('4.22.1'));
    const image = async (): Promise<string | undefined> =>
      (await fixture.deployment('kube-scheduler')).spec.template.spec.containers[0]?.image;
    const before = await image();
    await fixture.merge({ spec: { releaseImage: NEXT } });
    await fixture.until(async () => (await image()) !== before);
    await restart(running, {});
    const { metadata, spec } = await fixture.deployment('kube-scheduler');
    expect([spec.replicas, metadata.annotations?.[MIGRATION_REPLICAS_ANNOTATION]]).toEqual([0, '1']);
    await change(0, null);
    await fixture.until(async () => (await fixture.deployment('kube-scheduler')).spec.replicas === 1);
  });
});
