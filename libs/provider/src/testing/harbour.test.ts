import { hostedCluster, hostedControlPlane, nodePool } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import type { JsonSchema } from '@capstan/api/model';
import { describe, expect, it } from 'vitest';
import { admittingPlatform, clusterInputs, nodePoolInputs, testPlatform } from './index.js';

function platformSchema(definition: object): JsonSchema | undefined {
  const { spec } = definition as ReturnType<typeof crd>;
  return spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec']?.properties?.['platform'];
}

describe('the made-up platform', () => {
  it.each([hostedCluster, hostedControlPlane, nodePool])('is taken by a CRD of $kind made for it', (kind) => {
    const original = crd(kind);
    const schema = platformSchema(admittingPlatform(original, testPlatform()));
    expect(schema?.properties?.['type']?.['enum']).toContain('Harbour');
    expect(schema?.properties?.['harbour']).toEqual({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
    expect(platformSchema(original)?.properties).not.toHaveProperty('harbour');
  });

  it('reports what is wrong with a cluster and a pool', () => {
    const platform = testPlatform();
    expect(platform.validate(clusterInputs(platform))).toEqual([
      { path: 'spec.platform.harbour.port', message: 'port is empty: name the port the cluster lies in' },
    ]);
    expect(platform.machineTemplate?.spec(nodePoolInputs(platform))).toEqual([
      { path: 'spec.platform.harbour.berth', message: 'berth is empty: name one' },
    ]);
  });
});
