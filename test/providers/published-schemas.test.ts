import { hostedCluster, hostedControlPlane, nodePool } from '@capstan/api/hypershift';
import { resource, structuralSchema } from '@capstan/api/model';
import type { Kind } from '@capstan/api/model';
import { hostingPlatforms } from '@capstan/cli/platforms';
import type { ResourceKind } from '@capstan/kube';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { clusterInputs, nodePoolInputs, testRelease } from '@capstan/provider/testing';
import { StructuralSchema } from '@capstan/schema';
import { beforeAll, describe, expect, it } from 'vitest';
import { examplesOf, infrastructureKinds } from '../src/provider-examples.js';

const published = new Map<string, Kind>();
const schemas = new Map<string, StructuralSchema>();

beforeAll(async () => {
  for (const kind of [...(await infrastructureKinds()), hostedCluster, hostedControlPlane, nodePool])
    published.set(`${kind.group}/${kind.kind}`, kind);
});

/** What the published CRD of its kind has against an object: unknown fields, and what it refuses. */
function complaints(object: KubeObject): string[] {
  const [group = '', version = ''] = object.apiVersion.split('/');
  const kind = published.get(`${group}/${object.kind}`);
  if (kind === undefined) return [`${object.apiVersion} ${object.kind} is not published`];
  const at = `${group}/${object.kind}/${version}`;
  const schema =
    schemas.get(at) ?? new StructuralSchema(structuralSchema(kind, version, { gates: ['TechPreviewNoUpgrade'] }));
  schemas.set(at, schema);
  const copy = structuredClone(object);
  const unknown = schema.prepare(copy).map((path) => `unknown field ${path}`);
  return [...unknown, ...schema.validate(copy).errors.map(({ detail, field }) => `${field}: ${detail}`)];
}

function objectOf({ group, kind, version }: ResourceKind, spec: JsonObject): KubeObject {
  return { apiVersion: `${group}/${version}`, kind, metadata: { name: 'a', namespace: 'n' }, spec };
}

const platforms = [...(await hostingPlatforms())];

describe.each(platforms.map((platform) => [platform.type, platform] as const))('%s', (_, platform) => {
  it('has examples that a server accepts', async () => {
    const { clusters, pools } = await examplesOf(platform);
    for (const settings of clusters) {
      const { hostedCluster: cluster } = clusterInputs(platform, settings);
      expect(complaints(cluster as unknown as KubeObject)).toEqual([]);
    }
    for (const pool of pools) {
      const { nodePool: made } = nodePoolInputs(platform, { pool });
      const arch = platform.nodePools.architectures[0];
      expect(complaints({ ...made, spec: { ...made.spec, arch } } as unknown as KubeObject)).toEqual([]);
    }
  });

  it('creates infrastructure clusters, control planes and companions that a server accepts', async () => {
    const { clusters, secrets } = await examplesOf(platform);
    for (const settings of clusters) {
      const inputs = clusterInputs(platform, settings, secrets);
      const made =
        platform.cluster === undefined ? [] : [objectOf(platform.cluster.kind, platform.cluster.spec(inputs))];
      for (const object of [...made, ...(platform.cluster?.companions?.(inputs) ?? [])])
        expect(complaints(object)).toEqual([]);
      const { settings: platformSettings, type } = platform.controlPlane(inputs);
      const { dns, etcd, infraID, networking, pullSecret, services, sshKey } = inputs.hostedCluster.spec ?? {};
      const spec = {
        dns,
        etcd,
        infraID,
        networking,
        pullSecret,
        services,
        sshKey,
        issuerURL: 'https://issuer.example.com',
        releaseImage: 'quay.io/openshift-release-dev/ocp-release:4.22.0-multi',
        platform: { type, ...(platformSettings === undefined ? {} : { [platform.key]: platformSettings }) },
      };
      expect(complaints(objectOf(resource(hostedControlPlane), spec))).toEqual([]);
    }
  });

  it('creates templates and their companions that a server accepts', async () => {
    const { architecture = 'amd64', bootImages, clusters, pools } = await examplesOf(platform);
    const { machineTemplate } = platform;
    if (machineTemplate === undefined) return;
    for (const pool of pools) {
      const inputs = nodePoolInputs(platform, { cluster: clusters[0] ?? {}, pool });
      const { spec } = inputs.nodePool;
      const whole = {
        ...inputs,
        nodePool: { ...inputs.nodePool, spec: { ...spec, arch: architecture } } as typeof inputs.nodePool,
        release: testRelease('4.22.0', bootImages),
      };
      const made = machineTemplate.spec(whole);
      expect(made).not.toBeInstanceOf(Array);
      const objects = [
        objectOf(machineTemplate.kind, made as JsonObject),
        ...(machineTemplate.companions?.(whole) ?? []),
      ];
      for (const object of objects) expect(complaints(object)).toEqual([]);
    }
  });
});
