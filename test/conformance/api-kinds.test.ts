import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends, type Backend } from '../src/conformance/backend.js';
import { CRDS } from '../src/conformance/crds.js';
import { MERGE, type Session } from '../src/conformance/session.js';
import { create, inGroup, install, isRefused, removeAll, shippedFiles } from '../src/conformance/shipped-crds.js';
import { openSession } from '../src/conformance/suite.js';

/*
 * The CustomResourceDefinitions we hand out, each in a group of the test's own, so that it meets neither another
 * variant of itself nor the CRDs of its authors.
 */

const files = shippedFiles();

function machine(group: string): object {
  return {
    apiVersion: `${group}/v1beta1`,
    kind: 'Machine',
    metadata: { name: 'm' },
    spec: { authoritativeAPI: 'ClusterAPI' },
  };
}

/** A hosted cluster whose platform is an object of its own. */
function hostedCluster(group: string): Record<string, unknown> {
  const publishing = (service: string) => ({ service, servicePublishingStrategy: { type: 'Route' } });
  return {
    apiVersion: `${group}/v1beta1`,
    kind: 'HostedCluster',
    metadata: { name: 'mine' },
    spec: {
      release: { image: 'registry.example/release:4.20.1' },
      etcd: {
        managementType: 'Managed',
        managed: { storage: { type: 'PersistentVolume', persistentVolume: { size: '8Gi' } } },
      },
      networking: { clusterNetwork: [{ cidr: '10.132.0.0/14' }], serviceNetwork: [{ cidr: '172.31.0.0/16' }] },
      platform: {
        type: 'AWS',
        infrastructureRef: {
          apiVersion: 'infrastructure.hypershift.openshift.io/v1beta1',
          kind: 'HostedAWSCluster',
          name: 'mine-infra',
        },
      },
      pullSecret: { name: 'pull' },
      services: ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'].map(publishing),
    },
  };
}

/** An update that is in progress, as its status shows it. */
const running = {
  state: 'Partial',
  version: '4.20.1',
  image: 'registry.example/release:4.20.1',
  startedTime: '2026-02-25T14:00:00Z',
  completionTime: null,
};

describe.each(backends().map((backend) => [backend.name, backend] as const))('on %s', (_, backend: Backend) => {
  let s: Session;

  beforeAll(async () => {
    s = await openSession(backend);
  });

  afterAll(async () => {
    await removeAll(s);
    await s.quiet('DELETE', '/api/v1/namespaces/{ns}');
    s.close();
    // Hundreds of CRDs, one after the other, also where others use the machine.
  }, 120_000);

  test.each(files.map((file, at) => [file, at] as const))(
    'the definition %s is taken by a server that knows its functions',
    async (file, at) => {
      const group = `taken-${at}.${s.ns}.example.com`;
      if (isRefused(backend, file)) {
        const refused = await s.quiet('POST', CRDS, { raw: inGroup(file, group), type: 'application/yaml' });
        expect(refused.status).toBe(422);
        expect(refused.text).toMatch(/undeclared reference to '(?:format|isIP|isCIDR)'/);
      } else await install(s, file, group);
    },
  );

  test('a gate brings its fields and their rules', async () => {
    const group = `on.${s.ns}.example.com`;
    await install(s, 'machine.openshift.io/machines-machine-api-migration.yaml', group);
    const objects = `/apis/${group}/v1beta1/namespaces/{ns}/machines`;
    const created = await create(s, objects, { ...machine(group), spec: {} });
    expect(created).not.toHaveProperty('spec.authoritativeAPI');
    const write = (status: object) => s.quiet('PATCH', `${objects}/m/status`, { body: { status }, type: MERGE });
    expect((await write({ authoritativeAPI: 'MachineAPI', synchronizedGeneration: 2 })).status).toBe(200);
    const refused = await write({ authoritativeAPI: 'ClusterAPI' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('The authoritativeAPI field must not transition directly');
  });

  test('without the gate its fields are unknown', async () => {
    const group = `off.${s.ns}.example.com`;
    await install(s, 'machine.openshift.io/machines.yaml', group);
    const created = await create(s, `/apis/${group}/v1beta1/namespaces/{ns}/machines`, machine(group));
    expect(created['spec']).not.toHaveProperty('authoritativeAPI');
  });

  const hostedClusters = 'hypershift.openshift.io/hostedclusters.yaml';

  test.skipIf(isRefused(backend, hostedClusters))(
    'a hosted cluster reports fifty releases of its control plane',
    async () => {
      const group = `hosted.${s.ns}.example.com`;
      await install(s, hostedClusters, group);
      const objects = `/apis/${group}/v1beta1/namespaces/{ns}/hostedclusters`;
      await create(s, objects, hostedCluster(group));
      const write = async (controlPlaneVersion: object) => {
        const found = (await s.quiet('GET', `${objects}/mine`)).object();
        return s.quiet('PUT', `${objects}/mine/status`, { body: { ...found, status: { controlPlaneVersion } } });
      };
      const desired = { version: running.version, image: running.image };
      const history = Array.from({ length: 50 }, () => running);
      const written = await write({ desired, history, observedGeneration: 1 });
      expect([written.status, written.status === 200 ? '' : written.text]).toEqual([200, '']);
      expect(written.object()['status']).toMatchObject({ controlPlaneVersion: { desired, history } });
      const tooMany = await write({ desired, history: [...history, running], observedGeneration: 1 });
      expect(tooMany.text).toContain('status.controlPlaneVersion.history: Too many: 51: must have at most 50 items');
      const ofNothing = await write({ desired, history });
      expect(ofNothing.text).toContain('status.controlPlaneVersion.observedGeneration: Required value');
    },
  );

  test('what a platform provider is given is as small as it can be', async () => {
    const group = `platform.${s.ns}.example.com`;
    const apiVersion = `${group}/v1beta1`;
    await install(s, 'infrastructure.hypershift.openshift.io/hostedawsclusters.yaml', group);
    const cluster = await create(s, `/apis/${apiVersion}/namespaces/{ns}/hostedawsclusters`, {
      apiVersion,
      kind: 'HostedAWSCluster',
      metadata: { name: 'mine-infra' },
      spec: {
        region: 'us-east-1',
        vpc: { id: 'vpc-0123456789abcdef0' },
        subnets: [{ id: 'subnet-public-1a', zone: 'us-east-1a' }],
        endpointAccess: {},
        secretEncryption: { kmsKeyARN: 'arn:aws:kms:us-east-1:123456789:key/abc-def-123' },
      },
    });
    expect(cluster['spec']).toMatchObject({ endpointAccess: { type: 'Public' }, multiArch: false });
    await install(s, 'infrastructure.hypershift.openshift.io/awsnodepools.yaml', group);
    const pools = `/apis/${apiVersion}/namespaces/{ns}/awsnodepools`;
    const pool = {
      apiVersion,
      kind: 'AWSNodePool',
      metadata: { name: 'workers' },
      spec: {
        instanceType: 'm5.2xlarge',
        instanceProfile: 'worker-profile',
        subnet: { id: 'subnet-private-1a' },
        securityGroups: [{ id: 'sg-workers' }],
      },
    };
    await create(s, pools, pool);
    const { instanceProfile: _left, ...without } = pool.spec;
    const refused = await s.quiet('POST', pools, { body: { ...pool, metadata: { name: 'other' }, spec: without } });
    expect(refused.text).toContain('spec.instanceProfile: Required value');
  });

  test('a pool whose platform is referred to has the processors of that platform', async () => {
    const group = `pool.${s.ns}.example.com`;
    await install(s, 'hypershift.openshift.io/nodepools.yaml', group);
    const objects = `/apis/${group}/v1beta1/namespaces/{ns}/nodepools`;
    const pool = (type: string) => ({
      apiVersion: `${group}/v1beta1`,
      kind: 'NodePool',
      metadata: { name: type.toLowerCase() },
      spec: {
        arch: 'arm64',
        clusterName: 'mine',
        management: { upgradeType: 'Replace' },
        platform: {
          type,
          nodePoolRef: { apiVersion: 'infrastructure.hypershift.openshift.io/v1beta1', kind: 'Pool', name: 'p' },
        },
        release: { image: 'registry.example/release:4.20.1' },
        replicas: 1,
      },
    });
    await create(s, objects, pool('AWS'));
    const refused = await s.quiet('POST', objects, { body: pool('KubeVirt') });
    expect(refused.text).toContain('Setting Arch to arm64 is only supported for AWS, Azure, Agent, GCP and None');
  });
});
