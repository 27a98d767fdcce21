import type { HostedControlPlane } from '@capstan/api/hypershift';
import type { KubeObject } from '@capstan/meta';
import { ReleaseError } from '@capstan/release';
import { CLUSTERS, HOSTED_CONTROL_PLANES, NODE_POOLS } from '@capstan/provider';
import { HARBOUR_CLUSTERS, testPlatform } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { CONFIG_MAPS, DEPLOYMENTS, NAMESPACES, pool, secret, SECRETS, SERVICES } from './objects.js';
import { hostedServer } from './server.js';
import { KUBECONFIG, Stage } from './stage.js';

const server = await hostedServer();

async function available(name: string, changes: Parameters<Stage['begin']>[0] = {}): Promise<Stage> {
  const stage = new Stage(server, { name });
  await stage.begin(changes);
  await stage.becomeAvailable();
  stage.effects.take();
  return stage;
}

const controlPlane = async (stage: Stage): Promise<HostedControlPlane> =>
  stage.client.get<HostedControlPlane>(HOSTED_CONTROL_PLANES, stage.name, { namespace: stage.controlPlaneNamespace });

describe('a hosted cluster', () => {
  it('has a control plane namespace with a dot as a dash, labels, and everything that is needed in it', async () => {
    const stage = await available('dot.ted', { spec: { infraID: 'dotted' } });
    const { metadata } = await stage.client.get(NAMESPACES, 'clusters-dot-ted');
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
      (await stage.client.list(kind, at)).items.map((each) => each.metadata.name ?? '').toSorted();
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
    expect((await stage.client.get(CLUSTERS, 'dotted', at))['spec']).toEqual({
      controlPlaneRef: { apiGroup: 'hypershift.openshift.io', kind: 'HostedControlPlane', name: 'dot.ted' },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'HarbourCluster', name: 'dot.ted' },
    });
    const infrastructure = await stage.client.get(HARBOUR_CLUSTERS, 'dot.ted', at);
    expect(infrastructure.metadata.annotations).toEqual({
      'cluster.x-k8s.io/managed-by': 'external',
      'hypershift.openshift.io/cluster': 'clusters/dot.ted',
    });
    expect([infrastructure['spec'], infrastructure['status']]).toEqual([
      { port: 'rotterdam', controlPlaneEndpoint: { host: 'api.example.com', port: 6443 } },
      { ready: true },
    ]);
  });

  it('tells its control plane of the platform as the manager of that platform, and owns nothing of it', async () => {
    const stage = await available('owners');
    const { metadata, spec } = await controlPlane(stage);
    expect(spec?.platform).toEqual({
      type: 'Harbour',
      harbour: { port: 'rotterdam', credentials: { name: 'harbour-login' } },
    });
    const managers = metadata.managedFields?.filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes('f:harbour'));
    expect(managers?.map(({ manager, operation }) => [manager, operation])).toEqual([
      ['hypershift-harbour-provider', 'Apply'],
    ]);
    await stage.change({ spec: { platform: { harbour: { size: 'large' } } } });
    await stage.settle();
    expect((await controlPlane(stage)).spec?.platform).toMatchObject({ harbour: { size: 'large' } });
    await stage.change({ spec: { platform: { harbour: { size: null } } } });
    await stage.settle();
    expect((await controlPlane(stage)).spec?.platform).not.toHaveProperty('harbour.size');
    stage.restart();
    stage.effects.take();
    await stage.settle();
    expect(stage.effects.take()).toEqual([]);
  });

  it('writes nothing once it is as it should be, also after a restart, and asks no registry', async () => {
    const stage = await available('quiet');
    await stage.clock.advance(3_600_000);
    const asked = stage.releases.asked.length;
    await stage.pass();
    expect(stage.effects.take()).toEqual([]);
    expect(stage.releases.asked).toHaveLength(asked);
    stage.restart();
    await stage.pass();
    expect(stage.effects.take()).toEqual([]);
  });

  it('is available the first time when every component is, and later when its control plane says so', async () => {
    const stage = new Stage(server, { name: 'first-time' });
    await stage.begin();
    await stage.settle(async () => {
      await stage.runDeployments();
      await stage.controlPlaneSays();
      await stage.component('etcd', 'False');
    });
    expect(await stage.condition('Available')).toBe(
      'False ComponentsNotAvailable: Waiting for components to be available: etcd',
    );
    await stage.component('etcd', 'True');
    await stage.settle();
    expect(await stage.condition('Available')).toBe('True AsExpected: The hosted control plane is available');
    await stage.component('etcd', 'False');
    await stage.settle();
    expect(await stage.condition('Available')).toBe('True AsExpected: The hosted control plane is available');
    await stage.controlPlaneSays({}, { Available: 'False' });
    await stage.settle();
    await stage.controlPlaneSays();
    await stage.settle();
    expect(await stage.condition('Available')).toBe('True AsExpected: The hosted control plane is available');
  });

  it('gives its users a kubeconfig and a password, as long as there are such', async () => {
    const stage = await available('access');
    const { status } = await stage.hostedCluster();
    expect([status?.kubeconfig, status?.kubeadminPassword]).toEqual([
      { name: 'access-admin-kubeconfig' },
      { name: 'access-kubeadmin-password' },
    ]);
    const copy = await stage.client.get(SECRETS, 'access-admin-kubeconfig', stage);
    expect(copy['data']).toEqual({ kubeconfig: Buffer.from(KUBECONFIG).toString('base64') });
    const { uid } = (await stage.hostedCluster()).metadata;
    expect(copy.metadata.ownerReferences).toEqual([
      { apiVersion: 'hypershift.openshift.io/v1beta1', kind: 'HostedCluster', name: 'access', uid },
    ]);
    await stage.controlPlaneSays({ kubeadminPassword: undefined });
    await stage.settle();
    expect(await stage.find(SECRETS, 'access-kubeadmin-password', 'clusters')).toBeUndefined();
    expect((await stage.hostedCluster()).status?.kubeadminPassword).toBeUndefined();
  });

  it('never copies a kubeconfig that the control plane did not issue', async () => {
    const stage = await available('tampered');
    const namespace = stage.controlPlaneNamespace;
    const good = Buffer.from(KUBECONFIG).toString('base64');
    const write = async (kubeconfig: string): Promise<void> => {
      const value = { data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') } };
      await stage.client.patch(SECRETS, 'admin-kubeconfig', { type: 'merge', value }, { namespace });
    };
    const given = async (): Promise<unknown> =>
      (await stage.client.get(SECRETS, 'tampered-admin-kubeconfig', stage))['data'];
    stage.effects.take();
    await write(KUBECONFIG.replace('https://api.example.com:6443', 'https://evil.example.com:6443'));
    await stage.settle();
    expect(stage.effects.take().filter((effect) => effect.includes('secrets'))).toEqual([]);
    expect(await given()).toEqual({ kubeconfig: good });
    expect((await stage.hostedCluster()).status?.kubeconfig).toEqual({ name: 'tampered-admin-kubeconfig' });
    expect(await stage.condition('ReconciliationSucceeded')).toBe(
      `False Blocked: Secret ${namespace}/admin-kubeconfig: its server is not that of the control plane; it is not copied for users`,
    );
    await write(KUBECONFIG);
    await stage.settle();
    expect(await given()).toEqual({ kubeconfig: good });
    expect(await stage.condition('ReconciliationSucceeded')).toContain('True ReconciliatonSucceeded');
  });

  it('leaves a Secret alone that its user made under the name of one of its own', async () => {
    const stage = new Stage(server, { name: 'squatted' });
    await stage.begin();
    await stage.make(SECRETS, secret('clusters', 'squatted-admin-kubeconfig', { mine: 'yes' }));
    await stage.pass();
    await stage.controlPlaneSays();
    expect(String(await stage.pass())).toContain('was not made by this operator');
    expect(await stage.condition('ReconciliationSucceeded')).toBe(
      'False ReconciliationError: Secret squatted-admin-kubeconfig in namespace clusters was not made by this operator, which needs its name: delete or rename it',
    );
    await stage.client.delete(SECRETS, 'squatted-admin-kubeconfig', stage);
    await stage.settle();
    expect(await stage.condition('ReconciliationSucceeded')).toBe(
      'True ReconciliatonSucceeded: Reconciliation completed successfully',
    );
  });

  it('passes on what its user changes, and takes away what its user takes away', async () => {
    const stage = await available('changing');
    await stage.make(CONFIG_MAPS, {
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
    await stage.change({ metadata: { annotations, labels }, spec: { configuration, nodeSelector: { infra: 'true' } } });
    await stage.settle();
    const told = await controlPlane(stage);
    expect(told.metadata.annotations).toEqual({
      'hypershift.openshift.io/cluster': 'clusters/changing',
      'hypershift.openshift.io/disable-cluster-autoscaler': 'true',
      'hypershift.openshift.io/disable-profiling': 'kube-apiserver',
      'hypershift.openshift.io/previous-restart-date': 'today',
      'hypershift.openshift.io/restart-date': 'today',
      'resource-request-override.hypershift.openshift.io/etcd.etcd': 'cpu=1',
    });
    expect(told.metadata.labels).toEqual({ 'api.openshift.com/id': 'x' });
    expect(told.spec?.configuration).toEqual(configuration);
    expect(await stage.find(CONFIG_MAPS, 'bundle', 'clusters-changing')).toBeDefined();
    const gone = Object.fromEntries(Object.keys(annotations).map((key) => [key, null]));
    const spec = { configuration: null, nodeSelector: null };
    await stage.change({ metadata: { annotations: gone, labels: null }, spec });
    await stage.settle();
    const left = await controlPlane(stage);
    expect(Object.keys(left.metadata.annotations ?? {})).not.toContain('hypershift.openshift.io/disable-profiling');
    expect(left.metadata.labels).toBeUndefined();
    expect([left.spec?.configuration, left.spec?.nodeSelector]).toEqual([undefined, undefined]);
  });

  it('brings new credentials to where they are used', async () => {
    const stage = await available('rotating');
    const data = { '.dockerconfigjson': Buffer.from('{"auths":{"new":{}}}').toString('base64') };
    await stage.client.patch(SECRETS, 'pull-secret', { type: 'merge', value: { data } }, stage);
    await stage.settle();
    expect((await stage.client.get(SECRETS, 'pull-secret', { namespace: 'clusters-rotating' }))['data']).toEqual(data);
    const old = { '.dockerconfigjson': Buffer.from('{"auths":{}}').toString('base64') };
    await stage.client.patch(SECRETS, 'pull-secret', { type: 'merge', value: { data: old } }, stage);
    await stage.settle();
  });

  it('is told whether any pool is autoscaled', async () => {
    const stage = await available('scaling');
    const key = 'hypershift.openshift.io/disable-cluster-autoscaler';
    expect((await controlPlane(stage)).metadata.annotations).toHaveProperty([key], 'true');
    const spec = { replicas: undefined, autoScaling: { min: 1, max: 3 } };
    await stage.client.create(
      NODE_POOLS,
      JSON.parse(JSON.stringify(pool(await stage.hostedCluster(), 'scaled', spec))),
    );
    await stage.settle();
    expect((await controlPlane(stage)).metadata.annotations).not.toHaveProperty([key]);
  });

  it('runs no programs that make machines where machines are its user’s business', async () => {
    const stage = await available('machineless');
    await stage.change({ metadata: { annotations: { 'hypershift.openshift.io/disable-machine-management': 'true' } } });
    await stage.settle();
    const { items } = await stage.client.list(DEPLOYMENTS, { namespace: 'clusters-machineless' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['control-plane-operator']);
  });

  it('has nothing of Cluster API on a platform without it', async () => {
    const bare = { ...testPlatform({ cluster: undefined, machineTemplate: undefined }) };
    Reflect.deleteProperty(bare, 'program');
    const stage = new Stage(server, { name: 'bare', platforms: [bare] });
    await stage.begin();
    await stage.becomeAvailable();
    expect((await stage.client.list(CLUSTERS, { namespace: 'clusters-bare' })).items).toEqual([]);
    const { items } = await stage.client.list(DEPLOYMENTS, { namespace: 'clusters-bare' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['control-plane-operator']);
    expect(await stage.condition('Available')).toBe('True AsExpected: The hosted control plane is available');
  });
});

describe('a hosted cluster that is paused', () => {
  it('is left alone with its control plane and Cluster API until the time has come', async () => {
    const stage = await available('pausing');
    const until = new Date(stage.clock.now() + 60_000).toISOString();
    await stage.change({ spec: { pausedUntil: until } });
    await stage.settle();
    const at = { namespace: 'clusters-pausing' };
    expect((await controlPlane(stage)).spec?.pausedUntil).toBe(until);
    expect((await stage.client.get(CLUSTERS, 'pausing-x7k2p', at))['spec']).toHaveProperty('paused', true);
    expect(await stage.condition('ReconciliationActive')).toBe(
      `False ReconciliationPaused: Reconciliation paused until: ${until}`,
    );
    await stage.client.delete(SECRETS, 'ssh-key', at);
    stage.effects.take();
    await stage.settle();
    expect(stage.effects.take()).toEqual([]);
    await stage.clock.advance(61_000);
    await stage.settle();
    expect(await stage.find(SECRETS, 'ssh-key', at.namespace)).toBeDefined();
    expect((await stage.client.get(CLUSTERS, 'pausing-x7k2p', at))['spec']).not.toHaveProperty('paused');
    expect(await stage.condition('ReconciliationActive')).toBe('True AsExpected: Reconciliation active on resource');
  });

  it('is told what a time looks like', async () => {
    const stage = await available('misread', { spec: { pausedUntil: '2026-01-01T00:00:00 sharp' } });
    const message =
      'Invalid value provided for PausedUntil field: "2026-01-01T00:00:00 sharp": it pauses nothing, write true or a time such as 2026-01-31T08:00:00Z';
    expect(await stage.condition('ReconciliationActive')).toBe(`True InvalidPausedUntilValue: ${message}`);
    expect(await stage.events()).toContain(`Warning InvalidPausedUntilValue: ${message}`);
  });
});

describe('a release', () => {
  it('is kept while its registry is away, also by an operator that knows nothing of it', async () => {
    const stage = await available('away');
    stage.releases.known.set(stage.image, new ReleaseError('Unreachable', 'registry.example.com does not answer'));
    stage.restart();
    await stage.settle();
    expect(stage.effects.take()).toEqual([]);
    expect(await stage.condition('ValidReleaseImage')).toBe('True AsExpected: Release image is valid');
    expect(await stage.condition('Progressing')).toBe('False AsExpected: HostedCluster is at expected version');
  });

  it('reaches the control plane and its programs when it is another', async () => {
    const stage = await available('upgrading');
    const image = stage.releases.add('4.22.1');
    await stage.change({ spec: { release: { image } } });
    await stage.settle(() => stage.runDeployments());
    expect((await controlPlane(stage)).spec?.releaseImage).toBe(image);
    expect(await stage.condition('Progressing')).toBe(
      'True Progressing: HostedCluster is deploying, upgrading, or reconfiguring',
    );
    const { items } = await stage.client.list(DEPLOYMENTS, { namespace: 'clusters-upgrading' });
    expect(new Set(items.map(({ spec }) => JSON.stringify(spec).match(/@sha256:\w+/g)).flat())).toEqual(
      new Set(['@sha256:4221']),
    );
  });

  it('waits when the cluster says that it cannot be upgraded, unless it is forced', async () => {
    const stage = await available('unready');
    await stage.controlPlaneSays({}, { ClusterVersionUpgradeable: 'False' });
    const image = stage.releases.add('5.0.0');
    await stage.change({ spec: { release: { image } } });
    await stage.settle();
    expect((await controlPlane(stage)).spec?.releaseImage).toBe(stage.image);
    expect(await stage.condition('Progressing')).toBe(
      `False Blocked: The cluster says that it cannot be upgraded from 4.22.0 to 5.0.0: All is well; mend that, or set the annotation hypershift.openshift.io/force-upgrade-to to ${image}`,
    );
    await stage.change({ metadata: { annotations: { 'hypershift.openshift.io/force-upgrade-to': image } } });
    await stage.settle();
    expect((await controlPlane(stage)).spec?.releaseImage).toBe(image);
  });

  it('that lacks an image is told of, and nothing of it is run', async () => {
    const stage = new Stage(server, { name: 'imageless' });
    const image = stage.releases.add('4.21.0', { image: (name) => (name === 'hypershift' ? 'an-image' : undefined) });
    await stage.begin({ spec: { release: { image } } });
    await stage.settle();
    expect(await stage.condition('ValidReleaseInfo')).toBe(
      'False MissingReleaseImages: The release 4.21.0 has no image for what is to run: name cluster-capi-controllers in the release payload, the variable IMAGE_CLUSTER_API of the operator, the annotation hypershift.openshift.io/capi-manager-image; harbour-cluster-api-controllers in the release payload, the annotation hypershift.openshift.io/capi-provider-harbour-image',
    );
    expect((await stage.client.list(DEPLOYMENTS, { namespace: 'clusters-imageless' })).items).toEqual([]);
  });

  it('tells nodes the name that a router gave the Route of their configuration, where there are routes', async () => {
    const published = (service: string, type: string): object => ({ service, servicePublishingStrategy: { type } });
    const services = [
      published('APIServer', 'LoadBalancer'),
      ...['OAuthServer', 'Konnectivity', 'Ignition'].map((service) => published(service, 'Route')),
    ];
    const stage = await available('routed', { spec: { infraID: 'routed', services } });
    const service = { name: 'ignition-server', namespace: stage.controlPlaneNamespace };
    await stage.make(SERVICES, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: service,
      spec: { ports: [{ port: 443 }] },
    });
    const endpoint = async (): Promise<string | undefined> => {
      await stage.settle();
      return (await stage.hostedCluster()).status?.ignitionEndpoint;
    };
    const route = (host?: string): KubeObject => ({
      apiVersion: 'route.openshift.io/v1',
      kind: 'Route',
      metadata: service,
      spec: { host },
    });
    const seen: (string | undefined)[] = [];
    for (const routes of [[], [route()], [route('ignition.apps.example.com')]]) {
      stage.routes = routes;
      seen.push(await endpoint());
    }
    expect(seen).toEqual([undefined, undefined, 'ignition.apps.example.com']);
    stage.routes = undefined;
    expect(await endpoint()).toBe('ignition-server.clusters-routed.svc');
  });
});
