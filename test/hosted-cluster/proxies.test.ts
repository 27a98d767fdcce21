import { HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import { installDefinitions } from '@capstan/tools/hosting';
import { beforeEach, describe, expect, it } from 'vitest';
import { NETWORK_POLICIES, POD_MONITOR_CRD, POD_MONITORS } from '../src/proxy-objects.js';
import { Fixture, PROXY } from './fixture.js';
import { DEPLOYMENTS } from './objects.js';
import { hostedServer } from './server.js';

const OWN = ['capi-provider', 'cluster-api', 'control-plane-operator'];
const policyOf = (name: string): string => `${name}-kube-apiserver-proxy`;

let fixture: Fixture;
let created = 0;

async function begin(mode: 'legacy' | 'private'): Promise<void> {
  created += 1;
  fixture = new Fixture(await hostedServer(), { name: `proxied-${created}`, namespace: 'proxy-clusters' });
  fixture.mode = { kind: mode };
  fixture.restart();
  const annotations: Readonly<Record<string, string>> =
    mode === 'legacy' ? { 'hypershift.openshift.io/scope': 'legacy' } : {};
  await fixture.begin({ metadata: { annotations } });
  await fixture.becomeAvailable();
}

const policies = async (): Promise<readonly KubeObject[]> =>
  (await fixture.client.list(NETWORK_POLICIES, { namespace: fixture.controlPlaneNamespace })).items;
const names = async (): Promise<readonly (string | undefined)[]> =>
  (await policies()).map(({ metadata: { name } }) => name);

describe('The proxies of a HostedCluster on private types', () => {
  beforeEach(() => begin('private'), 60_000);

  it('are each open on their health port, those of the control plane operator among them', async () => {
    expect(await names()).toEqual(OWN.map(policyOf));
    const { client, controlPlaneNamespace: namespace } = fixture;
    const labels = { app: 'cluster-autoscaler' };
    const template = {
      metadata: { labels },
      spec: { containers: [{ name: 'cluster-autoscaler', image: 'i', args: ['--v=2'] }] },
    };
    const metadata = { name: 'cluster-autoscaler', namespace };
    const bare = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { selector: { matchLabels: labels }, template },
    };
    const created = await client.create(DEPLOYMENTS, PROXY.add(bare as KubeObject));
    await fixture.settle();
    const found = (await policies()).find(({ metadata: { name } }) => name === policyOf('cluster-autoscaler'));
    expect(found?.metadata.ownerReferences).toMatchObject([{ kind: 'Deployment', uid: created.metadata.uid }]);
    expect(found?.['spec']).toMatchObject({
      podSelector: { matchLabels: labels },
      ingress: [{ ports: [{ port: 8081, protocol: 'TCP' }] }],
    });
  });

  it('are opened again when a policy is deleted or changed', async () => {
    const [first, second] = (await policies()) as [KubeObject, KubeObject];
    const at = { namespace: fixture.controlPlaneNamespace };
    await fixture.client.delete(NETWORK_POLICIES, first.metadata.name ?? '', at);
    const value = { spec: { ingress: [] } };
    await fixture.client.patch(NETWORK_POLICIES, second.metadata.name ?? '', { type: 'merge', value }, at);
    await fixture.settle();
    expect((await policies()).map(({ spec }) => spec)).toEqual([first['spec'], second['spec'], expect.anything()]);
  });

  it('are scraped where the management cluster has PodMonitors', async () => {
    await installDefinitions(fixture.client, [POD_MONITOR_CRD]);
    fixture.undefinedKinds.delete(POD_MONITORS.plural);
    await fixture.settle();
    const { items } = await fixture.client.list(POD_MONITORS, { namespace: fixture.controlPlaneNamespace });
    const controlPlane = await fixture.find(HOSTED_CONTROL_PLANES, fixture.name, fixture.controlPlaneNamespace);
    expect(items).toMatchObject([
      {
        metadata: { name: 'kube-apiserver-proxy', ownerReferences: [{ uid: controlPlane?.metadata.uid }] },
        spec: { selector: {}, podMetricsEndpoints: [{ port: 'proxy-health', path: '/metrics' }] },
      },
    ]);
  });
});

describe('A HostedCluster on standard types', () => {
  it('has no proxy, and nothing is opened for one', async () => {
    await begin('legacy');
    expect(await names()).toEqual([]);
  }, 60_000);
});
