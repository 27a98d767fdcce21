import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as hypershiftKinds } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import { CLUSTERS, HOSTED_CLUSTERS, HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { hostingPlatforms } from '@capstan/cli/platforms';
import { Client } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import type { KubeObject, Transport } from '@capstan/meta';
import type { HostingPlatform } from '@capstan/provider';
import { clusterInputs, hostedClusterOn } from '@capstan/provider/testing';
import type { HostingExamples } from '@capstan/provider/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { secretsOfCluster, DEPLOYMENTS, NAMESPACES, SECRETS } from '../hosted-cluster/objects.js';
import { Fixture } from '../hosted-cluster/fixture.js';
import { embeddedServer } from '../src/conformance/backend.js';
import { examplesOf, infrastructureKinds } from '../src/provider-examples.js';

const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
/** No release has it: an annotation of the cluster names it. */
const IMAGES = { 'hypershift.openshift.io/capi-provider-kubevirt-image': 'quay.io/fleet/provider:1' };

/** No two clusters have one infrastructure. */
const infraOf = ({ name }: Fixture): string => `${name}-x7k2p`;

let server: Transport;

beforeAll(async () => {
  server = embeddedServer();
  const client = new Client(server);
  // Where the platform with hosts of its own has them.
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hosts' } });
  const gates = ['TechPreviewNoUpgrade'];
  for (const kind of hypershiftKinds) await client.create(DEFINITIONS, crd(kind, { gates, conversion: 'none' }));
  const wanted =
    /^(?:Cluster|MachineDeployment|MachineSet|Machine|MachineHealthCheck|(?:AWS|Azure|GCP|Kubevirt|IBMPowerVS|OpenStack|Agent)(?:Cluster|Machine|ClusterIdentity|Server|FloatingIPPool))$/;
  for (const kind of [...clusterApiKinds, ...(await infrastructureKinds())])
    if (wanted.test(kind.kind)) await client.create(DEFINITIONS, crd(kind, { conversion: 'none' }));
}, 60_000);

interface Deployment extends KubeObject {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { name: string; image: string }[] } };
  };
}

const platforms = [...(await hostingPlatforms())];

describe.each(platforms.map((platform) => [platform.type, platform] as const))(
  'a hosted cluster on %s',
  (_, platform) => {
    it('gets all that its platform needs, and then writes nothing any more', async () => {
      const { key } = platform;
      const examples = await examplesOf(platform);
      const fixture = new Fixture(server, { name: key, namespace: `on-${key}`, platforms });
      await begin(fixture, platform, examples);
      await fixture.settle(async () => {
        await fixture.runDeployments();
        await fixture.reportControlPlane();
      });
      await fixture.settle();
      const at = fixture.controlPlaneNamespace;
      const found = (kind: ResourceKind, name: string): Promise<KubeObject | undefined> => fixture.find(kind, name, at);
      const controlPlane = await found(HOSTED_CONTROL_PLANES, key);
      expect(controlPlane?.['spec']).toMatchObject({ platform: { type: key === 'agent' ? 'None' : platform.type } });
      const provider = await fixture.find<Deployment>(DEPLOYMENTS, 'capi-provider', at);
      expect(provider?.spec.template.spec.containers.every(({ image }) => image !== '')).toBe(
        platform.program === undefined ? undefined : true,
      );
      if (platform.cluster === undefined) return;
      const infraID = infraOf(fixture);
      const inputs = clusterInputs(platform, examples.clusters[0]);
      const waitsFor = platform.cluster.notYet?.({ ...inputs, hostedCluster: await fixture.hostedCluster() });
      if (waitsFor !== undefined) {
        expect(await fixture.condition('InfrastructureReady')).toContain(waitsFor);
        // No controller publishes services here; once one does, there is nothing left to wait for.
        const status = { ignitionEndpoint: 'ignition.example.com' };
        const hosted = await fixture.hostedCluster();
        expect(
          platform.cluster.notYet?.({
            ...inputs,
            hostedCluster: { ...hosted, status: { ...hosted.status, ...status } } as typeof hosted,
          }),
        ).toBeUndefined();
        return;
      }
      const name = platform.cluster.namedBy === 'infra-id' ? infraID : key;
      const infrastructure = await found(platform.cluster.kind, name);
      expect(infrastructure?.['status']).toEqual(platform.cluster.isExternal ? { ready: true } : undefined);
      expect((infrastructure?.['spec'] as { controlPlaneEndpoint?: object } | undefined)?.controlPlaneEndpoint).toEqual(
        platform.cluster.takesEndpoint ? { host: 'api.example.com', port: 6443 } : undefined,
      );
      expect(await found(CLUSTERS, infraID)).toBeDefined();
    }, 60_000);
  },
);

async function begin(fixture: Fixture, platform: HostingPlatform, examples: HostingExamples): Promise<void> {
  const { image, name, namespace } = fixture;
  await fixture.make(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const secret of [...secretsOfCluster(namespace), ...examples.secrets])
    await fixture.make(SECRETS, { ...secret, metadata: { ...secret.metadata, namespace } });
  const { spec, ...cluster } = hostedClusterOn(platform, examples.clusters[0]);
  const made: unknown = {
    ...cluster,
    metadata: { name, namespace, annotations: IMAGES },
    spec: { ...spec, clusterID: undefined, infraID: infraOf(fixture), release: { image } },
    status: undefined,
  };
  await fixture.make(HOSTED_CLUSTERS, made as KubeObject);
}
