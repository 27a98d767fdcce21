import { X509Certificate } from 'node:crypto';
import type { KubeObject, Transport } from '@capstan/meta';
import { DEBUG_DEPLOYMENTS_ANNOTATION, DISABLE_MACHINES_ANNOTATION, HOSTED_CONTROL_PLANES } from '@capstan/provider';
import { ReleaseError } from '@capstan/release';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEPLOYMENTS, EVENTS, SECRETS, STATEFUL_SETS } from './kinds.js';
import { NAME, payload } from './objects.js';
import { ControlPlaneStage } from './control-plane-stage.js';

interface Workload extends KubeObject {
  readonly spec: { readonly replicas: number; readonly template: KubeObject };
}

interface Secret extends KubeObject {
  readonly data: Readonly<Record<string, string>>;
}

const NEXT = 'registry.example.com/release:4.22.1';

/** What the operator of control planes does, by what is told of it. */
const STORIES: Readonly<Record<string, (stage: ControlPlaneStage) => Promise<void>>> = {
  'comes up, changes its release, and is not written to in between': async (stage) => {
    await stage.up();
    await stage.quiet();
    const { status } = await stage.plane();
    expect(status).toMatchObject({
      ready: true,
      initialized: true,
      externalManagedControlPlane: true,
      controlPlaneEndpoint: { host: 'lb.example.com', port: 6443 },
      kubeConfig: { name: 'admin-kubeconfig', key: 'kubeconfig' },
      kubeadminPassword: { name: 'kubeadmin-password' },
      version: '4.22.0',
    });
    const before = stage.writes.length;
    // Anything that happens brings it up once more, and it is still as it should be.
    await stage.client.patch(
      SECRETS,
      'pull-secret',
      { type: 'merge', value: { metadata: { labels: { a: 'b' } } } },
      { namespace: stage.namespace },
    );
    await stage.quiet();
    expect(stage.writes.slice(before)).toEqual([]);
    stage.releases.known.set(NEXT, payload('4.22.1'));
    stage.held.add('kube-apiserver');
    await stage.merge({ spec: { releaseImage: NEXT } });
    await stage.component('kube-apiserver', 'RolloutComplete', {
      status: 'False',
      reason: 'WaitingForRolloutComplete',
    });
    await stage.component('kube-scheduler', 'RolloutComplete', {
      status: 'False',
      reason: 'WaitingForDependencies',
      message: 'Waiting for Dependencies: kube-apiserver',
    });
    const versions = new Map(
      (await stage.components()).map(({ metadata, status: of }) => [metadata.name, of?.version]),
    );
    expect(versions.get('etcd')).toBe('4.22.1');
    expect(versions.get('kube-scheduler')).toBe('4.22.0');
    // It serves as before while it is rolled out.
    await stage.condition('Available', { status: 'True' });
    stage.held.clear();
    await stage.until(async () => (await stage.components()).every(({ status: of }) => of?.version === '4.22.1'));
    expect(new Set((await stage.components()).map(({ status: of }) => of?.observedGeneration))).toEqual(new Set([2]));
  },

  'waits for an address, and is told by it': async (stage) => {
    await stage.operator();
    await stage.create();
    await stage.condition('InfrastructureReady', {
      status: 'False',
      reason: 'WaitingOnInfrastructureReady',
      message: `Waiting for APIServer: an address of the load balancer of Service ${stage.namespace}/kube-apiserver`,
    });
    expect(await stage.find(DEPLOYMENTS, 'kube-apiserver')).toBeUndefined();
    await stage.balance('kube-apiserver', { ip: '192.0.2.7' });
    await stage.until(async () => (await stage.find(SECRETS, 'admin-kubeconfig')) !== undefined);
    const { data } = (await stage.find<Secret>(SECRETS, 'kas-server-crt')) as Secret;
    const serving = new X509Certificate(Buffer.from(data['tls.crt'] ?? '', 'base64'));
    for (const ip of ['192.0.2.7', '127.0.0.1', '172.31.0.1']) expect(serving.checkIP(ip)).toBe(ip);
    for (const host of ['kube-apiserver', `kube-apiserver.${stage.namespace}.svc`, 'kubernetes.default.svc'])
      expect(serving.checkHost(host)).toBe(host);
    const config = (await stage.find<Secret>(SECRETS, 'admin-kubeconfig')) as Secret;
    expect(Buffer.from(config.data['kubeconfig'] ?? '', 'base64').toString()).toContain('https://192.0.2.7:6443');
    await stage.condition('Available', { status: 'True' });
    const authority = await stage.find<Secret>(SECRETS, 'root-ca');
    await stage.balance('kube-apiserver', { hostname: 'other.example.com' });
    await stage.until(async () => {
      const now = (await stage.find<Secret>(SECRETS, 'kas-server-crt')) as Secret;
      return (
        new X509Certificate(Buffer.from(now.data['tls.crt'] ?? '', 'base64')).checkHost('other.example.com') !==
        undefined
      );
    });
    expect((await stage.find<Secret>(SECRETS, 'root-ca'))?.data).toEqual(authority?.data);
  },

  'has components as its annotations and its spec say': async (stage) => {
    const annotations = { [DEBUG_DEPLOYMENTS_ANNOTATION]: 'kube-scheduler, packageserver' };
    await stage.up(
      { controllerAvailabilityPolicy: 'HighlyAvailable', capabilities: { disabled: ['Ingress', 'Console'] } },
      annotations,
    );
    const replicas = async (name: string): Promise<number | undefined> =>
      (await stage.find<Workload>(DEPLOYMENTS, name))?.spec.replicas;
    expect(await Promise.all(['kube-apiserver', 'kube-scheduler', 'cluster-autoscaler'].map(replicas))).toEqual([
      3, 0, 1,
    ]);
    expect(await stage.find(DEPLOYMENTS, 'ingress-operator')).toBeUndefined();
    const value = {
      metadata: { annotations: { [DISABLE_MACHINES_ANNOTATION]: 'true', [DEBUG_DEPLOYMENTS_ANNOTATION]: null } },
    };
    await stage.merge(value);
    await stage.until(async () => (await replicas('kube-scheduler')) === 3);
    await stage.until(async () => (await stage.find(DEPLOYMENTS, 'machine-approver')) === undefined);
    await stage.until(
      async () => !(await stage.components()).some(({ metadata }) => metadata.name === 'cluster-autoscaler'),
    );
    expect(await stage.find(DEPLOYMENTS, 'harbour-cloud-controller-manager')).toBeDefined();
  },

  'gives a drifted object back what is wanted, and leaves alone what others set': async (stage) => {
    await stage.up();
    const resources = { requests: { cpu: '2', memory: '4Gi' } };
    const found = (await stage.find<Workload>(DEPLOYMENTS, 'kube-scheduler')) as Workload;
    const copy = structuredClone(found) as unknown as {
      spec: { replicas: number; template: { spec: { containers: object[] } } };
    };
    copy.spec.replicas = 7;
    copy.spec.template.spec.containers = copy.spec.template.spec.containers.map((container) => ({
      ...container,
      resources,
    }));
    await stage.client.update(DEPLOYMENTS, copy as unknown as KubeObject);
    await stage.until(async () => (await stage.find<Workload>(DEPLOYMENTS, 'kube-scheduler'))?.spec.replicas === 1);
    const after = (await stage.find<Workload>(DEPLOYMENTS, 'kube-scheduler')) as Workload;
    expect(after.spec.template).toMatchObject({ spec: { containers: [{ resources }] } });
  },

  'says what is wrong with its release, and tears nothing down': async (stage) => {
    await stage.up();
    await stage.merge({ spec: { releaseImage: 'registry.example.com/release:nope' } });
    await stage.condition('ValidReleaseInfo', {
      status: 'False',
      reason: 'InvalidImage',
      message: 'there is no image registry.example.com/release:nope',
    });
    await stage.condition('Available', { status: 'True' });
    expect(await stage.find(DEPLOYMENTS, 'kube-scheduler')).toBeDefined();
    await stage.until(async () => {
      const { items } = await stage.client.list(EVENTS, { namespace: stage.namespace });
      return items.some((event) => event['reason'] === 'InvalidImage');
    });
    stage.releases.known.set('registry.example.com/release:later', new ReleaseError('Unreachable', 'nobody answers'));
    await stage.merge({ spec: { releaseImage: 'registry.example.com/release:later' } });
    await stage.condition('ValidReleaseInfo', {
      status: 'Unknown',
      reason: 'StatusUnknown',
      message: 'nobody answers',
    });
  },

  'says which image a release lacks, and leaves out what a release does not have': async (stage) => {
    stage.releases.known.set(NEXT, payload('4.22.1', ['cluster-machine-approver', 'oauth-server']));
    await stage.operator();
    await stage.create({ releaseImage: NEXT });
    await stage.balance();
    await stage.component('machine-approver', 'RolloutComplete', {
      status: 'False',
      reason: 'ReconciliationError',
      message: `release 4.22.1 (${NEXT}) has no image cluster-machine-approver: choose a release that has it`,
    });
    await stage.condition('Degraded', { status: 'True', reason: 'ReconcileError' });
    expect((await stage.components()).map(({ metadata }) => metadata.name)).not.toContain('oauth-openshift');
  },

  'says what it cannot do for a platform nobody has, or one that is not told yet': async (stage) => {
    await stage.operator({ platforms: [] });
    await stage.create();
    await stage.balance();
    await stage.condition('ValidHostedControlPlaneConfiguration', {
      status: 'False',
      reason: 'InvalidConfiguration',
      message: 'spec.platform.type is Harbour, which this installation does not have: it has ',
    });
  },

  'never takes what others have made': async (stage) => {
    const data = { 'ca.crt': Buffer.from('mine').toString('base64') };
    const metadata = { name: 'root-ca', namespace: stage.namespace };
    await stage.client.create(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata, data });
    await stage.operator();
    await stage.create();
    await stage.balance();
    await stage.condition('ValidHostedControlPlaneConfiguration', {
      status: 'False',
      message: `Secret ${stage.namespace}/root-ca exists and was not created for this control plane: delete or rename it`,
    });
    expect((await stage.find<Secret>(SECRETS, 'root-ca'))?.data).toEqual(data);
  },

  'is left alone while it is paused': async (stage) => {
    await stage.operator();
    await stage.create({ pausedUntil: 'true' });
    await stage.condition('ReconciliationActive', {
      status: 'False',
      reason: 'ReconciliationPaused',
      message: 'Reconciliation paused until field removed',
    });
    expect((await stage.plane()).metadata.finalizers).toBeUndefined();
    await stage.merge({ spec: { pausedUntil: 'soon' } });
    await stage.condition('ReconciliationActive', { status: 'True', reason: 'InvalidPausedUntilValue' });
  },

  'goes when nothing of it runs any more': async (stage) => {
    await stage.up();
    const other = await stage.client.create(DEPLOYMENTS, foreign(stage.namespace));
    await stage.client.delete(HOSTED_CONTROL_PLANES, NAME, { namespace: stage.namespace });
    await stage.until(async () => (await stage.find(HOSTED_CONTROL_PLANES, NAME)) === undefined);
    const { items } = await stage.client.list(DEPLOYMENTS, { namespace: stage.namespace });
    expect(items.map(({ metadata }) => metadata.name)).toEqual([other.metadata.name]);
    expect(await stage.find(STATEFUL_SETS, 'etcd')).toBeUndefined();
  },
};

/** A story is some hundred writes, and the machine may be busy with others. */
const STORY_MS = 180_000;

/** Tells all of it to an API server. */
export function tellOfControlPlanes(server: string, open: () => Transport): void {
  describe(`a control plane on ${server}`, () => {
    let transport: Transport;
    let count = 0;

    beforeAll(() => {
      transport = open();
    });

    it.each(Object.entries(STORIES))('%s', { timeout: STORY_MS }, async (_, tell) => {
      count += 1;
      const stage = new ControlPlaneStage(transport, `clusters-${count}`);
      try {
        await stage.open();
        await tell(stage);
      } finally {
        await stage.close();
      }
    });
  });
}

/** Somebody else's, with our label on it. */
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
