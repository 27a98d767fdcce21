import { DEBUG_DEPLOYMENTS_ANNOTATION, DISABLE_MACHINES_ANNOTATION, HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { X509Certificate } from 'node:crypto';
import type { KubeObject, Transport } from '@capstan/meta';
import { ReleaseError } from '@capstan/release';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEPLOYMENTS, EVENTS, SECRETS, STATEFUL_SETS } from './kinds.js';
import { NAME, payload } from './objects.js';
import { ControlPlaneFixture } from './control-plane-fixture.js';

interface Workload extends KubeObject {
  readonly spec: { readonly replicas: number; readonly template: KubeObject };
}

interface Secret extends KubeObject {
  readonly data: Readonly<Record<string, string>>;
}

const NEXT = 'registry.example.com/release:4.22.1';

/** What the operator of control planes does. */
const SCENARIOS: Readonly<Record<string, (fixture: ControlPlaneFixture) => Promise<void>>> = {
  'rolls out, is upgraded, and is not written in between': async (fixture) => {
    await fixture.up();
    await fixture.quiet();
    const { status } = await fixture.plane();
    expect(status).toMatchObject({
      ready: true,
      initialized: true,
      externalManagedControlPlane: true,
      controlPlaneEndpoint: { host: 'lb.example.com', port: 6443 },
      kubeConfig: { name: 'admin-kubeconfig', key: 'kubeconfig' },
      kubeadminPassword: { name: 'kubeadmin-password' },
      version: '4.22.0',
    });
    const before = fixture.writes.length;
    // Anything that happens brings it up once more, and it is still as it should be.
    await fixture.client.patch(
      SECRETS,
      'pull-secret',
      { type: 'merge', value: { metadata: { labels: { a: 'b' } } } },
      { namespace: fixture.namespace },
    );
    await fixture.quiet();
    expect(fixture.writes.slice(before)).toEqual([]);
    fixture.releases.known.set(NEXT, payload('4.22.1'));
    fixture.held.add('kube-apiserver');
    await fixture.merge({ spec: { releaseImage: NEXT } });
    await fixture.component('kube-apiserver', 'RolloutComplete', {
      status: 'False',
      reason: 'WaitingForRolloutComplete',
    });
    await fixture.component('kube-scheduler', 'RolloutComplete', {
      status: 'False',
      reason: 'WaitingForDependencies',
      message: 'Waiting for Dependencies: kube-apiserver',
    });
    const versions = new Map(
      (await fixture.components()).map(({ metadata, status: of }) => [metadata.name, of?.version]),
    );
    expect(versions.get('etcd')).toBe('4.22.1');
    expect(versions.get('kube-scheduler')).toBe('4.22.0');
    // It serves as before while it is rolled out.
    await fixture.condition('Available', { status: 'True' });
    fixture.held.clear();
    await fixture.until(async () => (await fixture.components()).every(({ status: of }) => of?.version === '4.22.1'));
    expect(new Set((await fixture.components()).map(({ status: of }) => of?.observedGeneration))).toEqual(new Set([2]));
  },

  'waits for the address of its load balancer, and issues certificates for that address': async (fixture) => {
    await fixture.operator();
    await fixture.create();
    await fixture.condition('InfrastructureReady', {
      status: 'False',
      reason: 'WaitingOnInfrastructureReady',
      message: `Waiting for APIServer: an address of the load balancer of Service ${fixture.namespace}/kube-apiserver`,
    });
    expect(await fixture.find(DEPLOYMENTS, 'kube-apiserver')).toBeUndefined();
    await fixture.balance('kube-apiserver', { ip: '192.0.2.7' });
    await fixture.until(async () => (await fixture.find(SECRETS, 'admin-kubeconfig')) !== undefined);
    const { data } = (await fixture.find<Secret>(SECRETS, 'kas-server-crt')) as Secret;
    const serving = new X509Certificate(Buffer.from(data['tls.crt'] ?? '', 'base64'));
    for (const ip of ['192.0.2.7', '127.0.0.1', '172.31.0.1']) expect(serving.checkIP(ip)).toBe(ip);
    for (const host of ['kube-apiserver', `kube-apiserver.${fixture.namespace}.svc`, 'kubernetes.default.svc'])
      expect(serving.checkHost(host)).toBe(host);
    const config = (await fixture.find<Secret>(SECRETS, 'admin-kubeconfig')) as Secret;
    expect(Buffer.from(config.data['kubeconfig'] ?? '', 'base64').toString()).toContain('https://192.0.2.7:6443');
    await fixture.condition('Available', { status: 'True' });
    const ca = await fixture.find<Secret>(SECRETS, 'root-ca');
    await fixture.balance('kube-apiserver', { hostname: 'other.example.com' });
    await fixture.until(async () => {
      const now = (await fixture.find<Secret>(SECRETS, 'kas-server-crt')) as Secret;
      return (
        new X509Certificate(Buffer.from(now.data['tls.crt'] ?? '', 'base64')).checkHost('other.example.com') !==
        undefined
      );
    });
    expect((await fixture.find<Secret>(SECRETS, 'root-ca'))?.data).toEqual(ca?.data);
  },

  'has the components that its annotations and its spec ask for': async (fixture) => {
    const annotations = { [DEBUG_DEPLOYMENTS_ANNOTATION]: 'kube-scheduler, packageserver' };
    await fixture.up(
      { controllerAvailabilityPolicy: 'HighlyAvailable', capabilities: { disabled: ['Ingress', 'Console'] } },
      annotations,
    );
    const replicas = async (name: string): Promise<number | undefined> =>
      (await fixture.find<Workload>(DEPLOYMENTS, name))?.spec.replicas;
    expect(await Promise.all(['kube-apiserver', 'kube-scheduler', 'cluster-autoscaler'].map(replicas))).toEqual([
      3, 0, 1,
    ]);
    expect(await fixture.find(DEPLOYMENTS, 'ingress-operator')).toBeUndefined();
    const value = {
      metadata: { annotations: { [DISABLE_MACHINES_ANNOTATION]: 'true', [DEBUG_DEPLOYMENTS_ANNOTATION]: null } },
    };
    await fixture.merge(value);
    await fixture.until(async () => (await replicas('kube-scheduler')) === 3);
    await fixture.until(async () => (await fixture.find(DEPLOYMENTS, 'machine-approver')) === undefined);
    await fixture.until(
      async () => !(await fixture.components()).some(({ metadata }) => metadata.name === 'cluster-autoscaler'),
    );
    expect(await fixture.find(DEPLOYMENTS, 'harbour-cloud-controller-manager')).toBeDefined();
  },

  'restores a drifted object, and keeps the fields that others set': async (fixture) => {
    await fixture.up();
    const resources = { requests: { cpu: '2', memory: '4Gi' } };
    const found = (await fixture.find<Workload>(DEPLOYMENTS, 'kube-scheduler')) as Workload;
    const copy = structuredClone(found) as unknown as {
      spec: { replicas: number; template: { spec: { containers: object[] } } };
    };
    copy.spec.replicas = 7;
    copy.spec.template.spec.containers = copy.spec.template.spec.containers.map((container) => ({
      ...container,
      resources,
    }));
    await fixture.client.update(DEPLOYMENTS, copy as unknown as KubeObject);
    await fixture.until(async () => (await fixture.find<Workload>(DEPLOYMENTS, 'kube-scheduler'))?.spec.replicas === 1);
    const after = (await fixture.find<Workload>(DEPLOYMENTS, 'kube-scheduler')) as Workload;
    expect(after.spec.template).toMatchObject({ spec: { containers: [{ resources }] } });
  },

  'reports what is wrong with its release, and deletes nothing': async (fixture) => {
    await fixture.up();
    await fixture.merge({ spec: { releaseImage: 'registry.example.com/release:nope' } });
    await fixture.condition('ValidReleaseInfo', {
      status: 'False',
      reason: 'InvalidImage',
      message: 'there is no image registry.example.com/release:nope',
    });
    await fixture.condition('Available', { status: 'True' });
    expect(await fixture.find(DEPLOYMENTS, 'kube-scheduler')).toBeDefined();
    await fixture.until(async () => {
      const { items } = await fixture.client.list(EVENTS, { namespace: fixture.namespace });
      return items.some((event) => event['reason'] === 'InvalidImage');
    });
    fixture.releases.known.set('registry.example.com/release:later', new ReleaseError('Unreachable', 'nobody answers'));
    await fixture.merge({ spec: { releaseImage: 'registry.example.com/release:later' } });
    await fixture.condition('ValidReleaseInfo', {
      status: 'Unknown',
      reason: 'StatusUnknown',
      message: 'nobody answers',
    });
  },

  'names the image that a release lacks, and omits optional components that a release does not have': async (
    fixture,
  ) => {
    fixture.releases.known.set(NEXT, payload('4.22.1', ['cluster-machine-approver', 'oauth-server']));
    await fixture.operator();
    await fixture.create({ releaseImage: NEXT });
    await fixture.balance();
    await fixture.component('machine-approver', 'RolloutComplete', {
      status: 'False',
      reason: 'ReconciliationError',
      message: `release 4.22.1 (${NEXT}) has no image cluster-machine-approver: choose a release that has it`,
    });
    await fixture.condition('Degraded', { status: 'True', reason: 'ReconcileError' });
    expect((await fixture.components()).map(({ metadata }) => metadata.name)).not.toContain('oauth-openshift');
  },

  'reports a platform that this installation does not have': async (fixture) => {
    await fixture.operator({ platforms: [] });
    await fixture.create();
    await fixture.balance();
    await fixture.condition('ValidHostedControlPlaneConfiguration', {
      status: 'False',
      reason: 'InvalidConfiguration',
      message: 'spec.platform.type is Harbour, which this installation does not have: it has ',
    });
  },

  'never takes over an object that another client created': async (fixture) => {
    const data = { 'ca.crt': Buffer.from('mine').toString('base64') };
    const metadata = { name: 'root-ca', namespace: fixture.namespace };
    await fixture.client.create(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata, data });
    await fixture.operator();
    await fixture.create();
    await fixture.balance();
    await fixture.condition('ValidHostedControlPlaneConfiguration', {
      status: 'False',
      message: `Secret ${fixture.namespace}/root-ca exists and was not created for this control plane: delete or rename it`,
    });
    expect((await fixture.find<Secret>(SECRETS, 'root-ca'))?.data).toEqual(data);
  },

  'is not reconciled while it is paused': async (fixture) => {
    await fixture.operator();
    await fixture.create({ pausedUntil: 'true' });
    await fixture.condition('ReconciliationActive', {
      status: 'False',
      reason: 'ReconciliationPaused',
      message: 'Reconciliation paused until field removed',
    });
    expect((await fixture.plane()).metadata.finalizers).toBeUndefined();
    await fixture.merge({ spec: { pausedUntil: 'soon' } });
    await fixture.condition('ReconciliationActive', { status: 'True', reason: 'InvalidPausedUntilValue' });
  },

  'is deleted when none of its components runs any more': async (fixture) => {
    await fixture.up();
    const other = await fixture.client.create(DEPLOYMENTS, foreign(fixture.namespace));
    await fixture.client.delete(HOSTED_CONTROL_PLANES, NAME, { namespace: fixture.namespace });
    await fixture.until(async () => (await fixture.find(HOSTED_CONTROL_PLANES, NAME)) === undefined);
    const { items } = await fixture.client.list(DEPLOYMENTS, { namespace: fixture.namespace });
    expect(items.map(({ metadata }) => metadata.name)).toEqual([other.metadata.name]);
    expect(await fixture.find(STATEFUL_SETS, 'etcd')).toBeUndefined();
  },
};

/** A scenario is some hundred writes, and the machine may be busy with others. */
const SCENARIO_MS = 180_000;

/** Runs all scenarios on an API server. */
export function describeControlPlanes(server: string, open: () => Transport): void {
  describe(`a control plane on ${server}`, () => {
    let transport: Transport;
    let count = 0;

    beforeAll(() => {
      transport = open();
    });

    it.each(Object.entries(SCENARIOS))('%s', { timeout: SCENARIO_MS }, async (_, run) => {
      count += 1;
      const fixture = new ControlPlaneFixture(transport, `clusters-${count}`);
      try {
        await fixture.open();
        await run(fixture);
      } finally {
        await fixture.close();
      }
    });
  });
}

/** An object of another owner, with our label on it. */
function foreign(namespace: string): KubeObject {
  const labels = { app: 'mine', 'hypershift.openshift.io/managed-by': 'control-plane-operator' };
  const containers = [{ name: 'main', image: 'mine:1' }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'mine', namespace, labels },
    spec: { selector: { matchLabels: { app: 'mine' } }, template: { metadata: { labels }, spec: { containers } } },
  };
}
