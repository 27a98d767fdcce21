import type { HostedControlPlane } from '@capstan/api/hypershift';
import { CLUSTERS, HOSTED_CONTROL_PLANES, NODE_POOLS } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import { ReleaseError } from '@capstan/release';
import { HARBOUR_CLUSTERS, testPlatform } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { CONFIG_MAPS, DEPLOYMENTS, NAMESPACES, pool, secret, SECRETS, SERVICES } from './objects.js';
import { hostedServer } from './server.js';
import { KUBECONFIG, Fixture } from './fixture.js';

const server = await hostedServer();

async function available(name: string, changes: Parameters<Fixture['begin']>[0] = {}): Promise<Fixture> {
  const fixture = new Fixture(server, { name });
  await fixture.begin(changes);
  await fixture.becomeAvailable();
  fixture.effects.take();
  return fixture;
}

const controlPlane = async (fixture: Fixture): Promise<HostedControlPlane> =>
  fixture.client.get<HostedControlPlane>(HOSTED_CONTROL_PLANES, fixture.name, {
    namespace: fixture.controlPlaneNamespace,
  });

describe('a hosted cluster', () => {
  it('gets a control plane namespace with a valid name, its labels, and all objects that the control plane needs', async () => {
    const fixture = await available('dot.ted', { spec: { infraID: 'dotted' } });
    const { metadata } = await fixture.client.get(NAMESPACES, 'clusters-dot-ted');
    expect(metadata.annotations).toEqual({ 'hypershift.openshift.io/cluster': 'clusters/dot.ted' });
    expect(metadata.labels).toEqual({
      'hypershift.openshift.io/hosted-control-plane': 'true',
      'kubernetes.io/metadata.name': 'clusters-dot-ted',
      'pod-security.kubernetes.io/audit': 'privileged',
      'pod-security.kubernetes.io/enforce': 'privileged',
      'pod-security.kubernetes.io/warn': 'privileged',
      'security.openshift.io/scc.podSecurityLabelSync': 'false',
    });
    const at = { namespace: 'clusters-dot-ted' };
    const names = async (kind: typeof SECRETS): Promise<string[]> =>
      (await fixture.client.list(kind, at)).items.map((each) => each.metadata.name ?? '').toSorted();
    expect(await names(SECRETS)).toEqual([
      'admin-kubeconfig',
      'capi-webhooks-tls',
      'harbour-credentials',
      'kubeadmin-password',
      'pull-secret',
      'root-ca',
      'ssh-key',
    ]);
    expect(await names(DEPLOYMENTS)).toEqual(['capi-provider', 'cluster-api', 'control-plane-operator']);
    expect((await fixture.client.get(CLUSTERS, 'dotted', at))['spec']).toEqual({
      controlPlaneRef: { apiGroup: 'hypershift.openshift.io', kind: 'HostedControlPlane', name: 'dot.ted' },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'HarbourCluster', name: 'dot.ted' },
    });
    const infrastructure = await fixture.client.get(HARBOUR_CLUSTERS, 'dot.ted', at);
    expect(infrastructure.metadata.annotations).toEqual({
      'cluster.x-k8s.io/managed-by': 'external',
      'hypershift.openshift.io/cluster': 'clusters/dot.ted',
    });
    expect([infrastructure['spec'], infrastructure['status']]).toEqual([
      { port: 'rotterdam', controlPlaneEndpoint: { host: 'api.example.com', port: 6443 } },
      { ready: true },
    ]);
  });

  it('configures the platform of its control plane as the manager of that platform, and owns nothing of it', async () => {
    const fixture = await available('owners');
    const { metadata, spec } = await controlPlane(fixture);
    expect(spec?.platform).toEqual({
      type: 'Harbour',
      harbour: { port: 'rotterdam', credentials: { name: 'harbour-login' } },
    });
    const managers = metadata.managedFields?.filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes('f:harbour'));
    expect(managers?.map(({ manager, operation }) => [manager, operation])).toEqual([
      ['hypershift-harbour-provider', 'Apply'],
    ]);
    await fixture.change({ spec: { platform: { harbour: { size: 'large' } } } });
    await fixture.settle();
    expect((await controlPlane(fixture)).spec?.platform).toMatchObject({ harbour: { size: 'large' } });
    await fixture.change({ spec: { platform: { harbour: { size: null } } } });
    await fixture.settle();
    expect((await controlPlane(fixture)).spec?.platform).not.toHaveProperty('harbour.size');
    fixture.restart();
    fixture.effects.take();
    await fixture.settle();
    expect(fixture.effects.take()).toEqual([]);
  });

  it('writes nothing and queries no registry once it is reconciled, also after a restart', async () => {
    const fixture = await available('quiet');
    await fixture.clock.advance(3_600_000);
    const asked = fixture.releases.asked.length;
    await fixture.pass();
    expect(fixture.effects.take()).toEqual([]);
    expect(fixture.releases.asked).toHaveLength(asked);
    fixture.restart();
    await fixture.pass();
    expect(fixture.effects.take()).toEqual([]);
  });

  it('is available the first time when every component is, and later when its control plane is', async () => {
    const fixture = new Fixture(server, { name: 'first-time' });
    await fixture.begin();
    await fixture.settle(async () => {
      await fixture.runDeployments();
      await fixture.reportControlPlane();
      await fixture.component('etcd', 'False');
    });
    expect(await fixture.condition('Available')).toBe(
      'False ComponentsNotAvailable: Waiting for components to be available: etcd',
    );
    await fixture.component('etcd', 'True');
    await fixture.settle();
    expect(await fixture.condition('Available')).toBe('True AsExpected: The hosted control plane is available');
    await fixture.component('etcd', 'False');
    await fixture.settle();
    expect(await fixture.condition('Available')).toBe('True AsExpected: The hosted control plane is available');
    await fixture.reportControlPlane({}, { Available: 'False' });
    await fixture.settle();
    await fixture.reportControlPlane();
    await fixture.settle();
    expect(await fixture.condition('Available')).toBe('True AsExpected: The hosted control plane is available');
  });

  it('publishes the kubeconfig and the password for as long as the control plane has them', async () => {
    const fixture = await available('access');
    const { status } = await fixture.hostedCluster();
    expect([status?.kubeconfig, status?.kubeadminPassword]).toEqual([
      { name: 'access-admin-kubeconfig' },
      { name: 'access-kubeadmin-password' },
    ]);
    const copy = await fixture.client.get(SECRETS, 'access-admin-kubeconfig', fixture);
    expect(copy['data']).toEqual({ kubeconfig: Buffer.from(KUBECONFIG).toString('base64') });
    const { uid } = (await fixture.hostedCluster()).metadata;
    expect(copy.metadata.ownerReferences).toEqual([
      { apiVersion: 'hypershift.openshift.io/v1beta1', kind: 'HostedCluster', name: 'access', uid },
    ]);
    await fixture.reportControlPlane({ kubeadminPassword: undefined });
    await fixture.settle();
    expect(await fixture.find(SECRETS, 'access-kubeadmin-password', 'clusters')).toBeUndefined();
    expect((await fixture.hostedCluster()).status?.kubeadminPassword).toBeUndefined();
  });

  it('never copies a kubeconfig that the control plane did not issue', async () => {
    const fixture = await available('tampered');
    const namespace = fixture.controlPlaneNamespace;
    const good = Buffer.from(KUBECONFIG).toString('base64');
    const write = async (kubeconfig: string): Promise<void> => {
      const value = { data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') } };
      await fixture.client.patch(SECRETS, 'admin-kubeconfig', { type: 'merge', value }, { namespace });
    };
    const given = async (): Promise<unknown> =>
      (await fixture.client.get(SECRETS, 'tampered-admin-kubeconfig', fixture))['data'];
    fixture.effects.take();
    await write(KUBECONFIG.replace('https://api.example.com:6443', 'https://evil.example.com:6443'));
    await fixture.settle();
    expect(fixture.effects.take().filter((effect) => effect.includes('secrets'))).toEqual([]);
    expect(await given()).toEqual({ kubeconfig: good });
    expect((await fixture.hostedCluster()).status?.kubeconfig).toEqual({ name: 'tampered-admin-kubeconfig' });
    expect(await fixture.condition('ReconciliationSucceeded')).toBe(
      `False Blocked: Secret ${namespace}/admin-kubeconfig: its server is not that of the control plane; it is not copied for users`,
    );
    await write(KUBECONFIG);
    await fixture.settle();
    expect(await given()).toEqual({ kubeconfig: good });
    expect(await fixture.condition('ReconciliationSucceeded')).toContain('True ReconciliatonSucceeded');
  });

  it('copies a password of the control plane as a stranger wrote it: nothing else of its Secret, and none that is no password', async () => {
    const fixture = await available('password');
    const namespace = fixture.controlPlaneNamespace;
    const write = async (data: Readonly<Record<string, string>>): Promise<void> => {
      await fixture.client.patch(SECRETS, 'kubeadmin-password', { type: 'merge', value: { data } }, { namespace });
      await fixture.settle();
    };
    const given = async (): Promise<unknown> =>
      (await fixture.client.get(SECRETS, 'password-kubeadmin-password', fixture))['data'];
    const good = Buffer.from('aaaaa-bbbbb').toString('base64');
    await write({ kubeconfig: good });
    expect(await given()).toEqual({ password: good });
    await write({ password: Buffer.from('\u001b[2J').toString('base64') });
    expect(await given()).toEqual({ password: good });
    expect((await fixture.hostedCluster()).status?.kubeadminPassword).toEqual({ name: 'password-kubeadmin-password' });
    expect(await fixture.condition('ReconciliationSucceeded')).toBe(
      `False Blocked: Secret ${namespace}/kubeadmin-password: its password has other characters than printable ASCII without spaces; it is not copied for users`,
    );
    await fixture.reportControlPlane({ kubeadminPassword: { name: 'admin-kubeconfig' } });
    await fixture.settle();
    expect(await given()).toEqual({ password: good });
    expect(await fixture.condition('ReconciliationSucceeded')).toBe(
      `False Blocked: Secret ${namespace}/admin-kubeconfig has no key password; it is not copied for users`,
    );
  });

  it('does not overwrite a Secret of its user that has the name of one of its own', async () => {
    const fixture = new Fixture(server, { name: 'squatted' });
    await fixture.begin();
    await fixture.make(SECRETS, secret('clusters', 'squatted-admin-kubeconfig', { mine: 'yes' }));
    await fixture.pass();
    await fixture.reportControlPlane();
    expect(String(await fixture.pass())).toContain('was not created by this operator');
    expect(await fixture.condition('ReconciliationSucceeded')).toBe(
      'False ReconciliationError: Secret squatted-admin-kubeconfig in namespace clusters was not created by this operator, which needs its name: delete or rename it',
    );
    await fixture.client.delete(SECRETS, 'squatted-admin-kubeconfig', fixture);
    await fixture.settle();
    expect(await fixture.condition('ReconciliationSucceeded')).toBe(
      'True ReconciliatonSucceeded: Reconciliation completed successfully',
    );
  });

  it('copies changes and removals of its user to its control plane', async () => {
    const fixture = await available('changing');
    await fixture.make(CONFIG_MAPS, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'bundle', namespace: 'clusters' },
      data: { 'ca-bundle.crt': 'x' },
    });
    const annotations = {
      'hypershift.openshift.io/disable-profiling': 'kube-apiserver',
      'resource-request-override.hypershift.openshift.io/etcd.etcd': 'cpu=1',
      'example.com/own': 'stays',
      'hypershift.openshift.io/restart-date': 'today',
    };
    const labels = { 'api.openshift.com/id': 'x', other: 'y' };
    const configuration = { proxy: { httpProxy: 'http://proxy', trustedCA: { name: 'bundle' } } };
    await fixture.change({
      metadata: { annotations, labels },
      spec: { configuration, nodeSelector: { infra: 'true' } },
    });
    await fixture.settle();
    const plane = await controlPlane(fixture);
    expect(plane.metadata.annotations).toEqual({
      'hypershift.openshift.io/cluster': 'clusters/changing',
      'hypershift.openshift.io/disable-cluster-autoscaler': 'true',
      'hypershift.openshift.io/disable-profiling': 'kube-apiserver',
      'hypershift.openshift.io/previous-restart-date': 'today',
      'hypershift.openshift.io/restart-date': 'today',
      'resource-request-override.hypershift.openshift.io/etcd.etcd': 'cpu=1',
    });
    expect(plane.metadata.labels).toEqual({ 'api.openshift.com/id': 'x' });
    expect(plane.spec?.configuration).toEqual(configuration);
    expect(await fixture.find(CONFIG_MAPS, 'bundle', 'clusters-changing')).toBeDefined();
    const gone = Object.fromEntries(Object.keys(annotations).map((key) => [key, null]));
    const spec = { configuration: null, nodeSelector: null };
    await fixture.change({ metadata: { annotations: gone, labels: null }, spec });
    await fixture.settle();
    const left = await controlPlane(fixture);
    expect(Object.keys(left.metadata.annotations ?? {})).not.toContain('hypershift.openshift.io/disable-profiling');
    expect(left.metadata.labels).toBeUndefined();
    expect([left.spec?.configuration, left.spec?.nodeSelector]).toEqual([undefined, undefined]);
  });

  it('copies changed credentials to the control plane namespace', async () => {
    const fixture = await available('rotating');
    const data = { '.dockerconfigjson': Buffer.from('{"auths":{"new":{}}}').toString('base64') };
    await fixture.client.patch(SECRETS, 'pull-secret', { type: 'merge', value: { data } }, fixture);
    await fixture.settle();
    expect((await fixture.client.get(SECRETS, 'pull-secret', { namespace: 'clusters-rotating' }))['data']).toEqual(
      data,
    );
    const old = { '.dockerconfigjson': Buffer.from('{"auths":{}}').toString('base64') };
    await fixture.client.patch(SECRETS, 'pull-secret', { type: 'merge', value: { data: old } }, fixture);
    await fixture.settle();
  });

  it('disables the cluster autoscaler of its control plane until a pool is autoscaled', async () => {
    const fixture = await available('scaling');
    const key = 'hypershift.openshift.io/disable-cluster-autoscaler';
    expect((await controlPlane(fixture)).metadata.annotations).toHaveProperty([key], 'true');
    const spec = { replicas: undefined, autoScaling: { min: 1, max: 3 } };
    await fixture.client.create(
      NODE_POOLS,
      JSON.parse(JSON.stringify(pool(await fixture.hostedCluster(), 'scaled', spec))),
    );
    await fixture.settle();
    expect((await controlPlane(fixture)).metadata.annotations).not.toHaveProperty([key]);
  });

  it('runs no programs that make machines where machines are its user’s business', async () => {
    const fixture = await available('machineless');
    await fixture.change({
      metadata: { annotations: { 'hypershift.openshift.io/disable-machine-management': 'true' } },
    });
    await fixture.settle();
    const { items } = await fixture.client.list(DEPLOYMENTS, { namespace: 'clusters-machineless' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['control-plane-operator']);
  });

  it('creates no objects of Cluster API on a platform without it', async () => {
    const bare = { ...testPlatform({ cluster: undefined, machineTemplate: undefined }) };
    Reflect.deleteProperty(bare, 'program');
    const fixture = new Fixture(server, { name: 'bare', platforms: [bare] });
    await fixture.begin();
    await fixture.becomeAvailable();
    expect((await fixture.client.list(CLUSTERS, { namespace: 'clusters-bare' })).items).toEqual([]);
    const { items } = await fixture.client.list(DEPLOYMENTS, { namespace: 'clusters-bare' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['control-plane-operator']);
    expect(await fixture.condition('Available')).toBe('True AsExpected: The hosted control plane is available');
  });
});

describe('a hosted cluster that is paused', () => {
  it('is not reconciled, with its control plane and Cluster API, until the pause ends', async () => {
    const fixture = await available('pausing');
    const until = new Date(fixture.clock.now() + 60_000).toISOString();
    await fixture.change({ spec: { pausedUntil: until } });
    await fixture.settle();
    const at = { namespace: 'clusters-pausing' };
    expect((await controlPlane(fixture)).spec?.pausedUntil).toBe(until);
    expect((await fixture.client.get(CLUSTERS, 'pausing-x7k2p', at))['spec']).toHaveProperty('paused', true);
    expect(await fixture.condition('ReconciliationActive')).toBe(
      `False ReconciliationPaused: Reconciliation paused until: ${until}`,
    );
    await fixture.client.delete(SECRETS, 'ssh-key', at);
    fixture.effects.take();
    await fixture.settle();
    expect(fixture.effects.take()).toEqual([]);
    await fixture.clock.advance(61_000);
    await fixture.settle();
    expect(await fixture.find(SECRETS, 'ssh-key', at.namespace)).toBeDefined();
    expect((await fixture.client.get(CLUSTERS, 'pausing-x7k2p', at))['spec']).not.toHaveProperty('paused');
    expect(await fixture.condition('ReconciliationActive')).toBe('True AsExpected: Reconciliation active on resource');
  });

  it('reports an invalid pausedUntil with the format that it expects', async () => {
    const fixture = await available('misread', { spec: { pausedUntil: '2026-01-01T00:00:00 sharp' } });
    const message =
      'Invalid value provided for PausedUntil field: "2026-01-01T00:00:00 sharp": it pauses nothing, write true or a time such as 2026-01-31T08:00:00Z';
    expect(await fixture.condition('ReconciliationActive')).toBe(`True InvalidPausedUntilValue: ${message}`);
    expect(await fixture.events()).toContain(`Warning InvalidPausedUntilValue: ${message}`);
  });
});

describe('a release', () => {
  it('is kept while its registry is unavailable, also after the operator restarts', async () => {
    const fixture = await available('away');
    fixture.releases.known.set(fixture.image, new ReleaseError('Unreachable', 'registry.example.com does not answer'));
    fixture.restart();
    await fixture.settle();
    expect(fixture.effects.take()).toEqual(['PUT hostedclusters away status']);
    expect(await fixture.condition('ValidReleaseImage')).toBe(
      'True AsExpected: Release image was valid when it was last read, and is kept while it cannot be read: registry.example.com does not answer',
    );
    expect(await fixture.condition('Progressing')).toBe('False AsExpected: HostedCluster is at expected version');
    fixture.releases.known.delete(fixture.image);
    fixture.releases.add('4.22.0');
    fixture.restart();
    await fixture.settle();
    expect(await fixture.condition('ValidReleaseImage')).toBe('True AsExpected: Release image is valid');
  });

  it('is rolled out to the control plane and its components when it changes', async () => {
    const fixture = await available('upgrading');
    const image = fixture.releases.add('4.22.1');
    await fixture.change({ spec: { release: { image } } });
    await fixture.settle(() => fixture.runDeployments());
    expect((await controlPlane(fixture)).spec?.releaseImage).toBe(image);
    expect(await fixture.condition('Progressing')).toBe(
      'True Progressing: HostedCluster is deploying, upgrading, or reconfiguring',
    );
    const { items } = await fixture.client.list(DEPLOYMENTS, { namespace: 'clusters-upgrading' });
    expect(new Set(items.map(({ spec }) => JSON.stringify(spec).match(/@sha256:\w+/g)).flat())).toEqual(
      new Set(['@sha256:4221']),
    );
  });

  it('waits when the cluster reports that it cannot be upgraded, unless it is forced', async () => {
    const fixture = await available('unready');
    await fixture.reportControlPlane({}, { ClusterVersionUpgradeable: 'False' });
    const image = fixture.releases.add('5.0.0');
    await fixture.change({ spec: { release: { image } } });
    await fixture.settle();
    expect((await controlPlane(fixture)).spec?.releaseImage).toBe(fixture.image);
    expect(await fixture.condition('Progressing')).toBe(
      `False Blocked: The cluster reports that it cannot be upgraded from 4.22.0 to 5.0.0: All is well; fix that, or set the annotation hypershift.openshift.io/force-upgrade-to to ${image}`,
    );
    await fixture.change({ metadata: { annotations: { 'hypershift.openshift.io/force-upgrade-to': image } } });
    await fixture.settle();
    expect((await controlPlane(fixture)).spec?.releaseImage).toBe(image);
  });

  it('that lacks an image is reported and not rolled out', async () => {
    const fixture = new Fixture(server, { name: 'imageless' });
    const image = fixture.releases.add('4.21.0', { image: (name) => (name === 'hypershift' ? 'an-image' : undefined) });
    await fixture.begin({ spec: { release: { image } } });
    await fixture.settle();
    expect(await fixture.condition('ValidReleaseInfo')).toBe(
      'False MissingReleaseImages: The release 4.21.0 has no image for what is to run: name cluster-capi-controllers in the release payload, the variable IMAGE_CLUSTER_API of the operator, the annotation hypershift.openshift.io/capi-manager-image; harbour-cluster-api-controllers in the release payload, the annotation hypershift.openshift.io/capi-provider-harbour-image',
    );
    expect((await fixture.client.list(DEPLOYMENTS, { namespace: 'clusters-imageless' })).items).toEqual([]);
  });

  it('gives nodes the name that a router gave the Route of their configuration, where there are routes', async () => {
    const published = (service: string, type: string): object => ({ service, servicePublishingStrategy: { type } });
    const services = [
      published('APIServer', 'LoadBalancer'),
      ...['OAuthServer', 'Konnectivity', 'Ignition'].map((service) => published(service, 'Route')),
    ];
    const fixture = await available('routed', { spec: { infraID: 'routed', services } });
    const service = { name: 'ignition-server', namespace: fixture.controlPlaneNamespace };
    await fixture.make(SERVICES, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: service,
      spec: { ports: [{ port: 443 }] },
    });
    const endpoint = async (): Promise<string | undefined> => {
      await fixture.settle();
      return (await fixture.hostedCluster()).status?.ignitionEndpoint;
    };
    const route = (host?: string): KubeObject => ({
      apiVersion: 'route.openshift.io/v1',
      kind: 'Route',
      metadata: service,
      spec: { host },
    });
    const seen: (string | undefined)[] = [];
    for (const routes of [[], [route()], [route('ignition.apps.example.com')]]) {
      fixture.routes = routes;
      seen.push(await endpoint());
    }
    expect(seen).toEqual([undefined, undefined, 'ignition.apps.example.com']);
    fixture.routes = undefined;
    expect(await endpoint()).toBe('ignition-server.clusters-routed.svc');
  });
});
