import type { JsonObject } from '@capstan/meta';
import { nodePoolInputs, testRelease } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { hosting } from './index.js';
import { machineTemplate } from './machine-template.js';
import { examples } from './testing/index.js';

const [POOL = {}] = examples.pools;
const [CLUSTER = {}] = examples.clusters;

function inputs(pool: JsonObject): ReturnType<typeof nodePoolInputs> {
  const made = nodePoolInputs(hosting, { cluster: CLUSTER, pool: { ...POOL, ...pool } });
  return { ...made, release: testRelease('4.22.0', examples.bootImages) };
}

function machine(pool: JsonObject): JsonObject {
  return (machineTemplate.spec(inputs(pool)) as { template: { spec: JsonObject } }).template.spec;
}

describe('how long machines live', () => {
  it.each<[JsonObject, JsonObject, boolean]>([
    [{}, { preemptible: false, provisioningModel: 'Standard', onHostMaintenance: 'Migrate' }, false],
    [
      { provisioningModel: 'Spot' },
      { preemptible: false, provisioningModel: 'Spot', onHostMaintenance: 'Terminate' },
      true,
    ],
    [{ provisioningModel: 'Preemptible' }, { preemptible: true, onHostMaintenance: 'Terminate' }, true],
    [
      { onHostMaintenance: 'TERMINATE' },
      { preemptible: false, provisioningModel: 'Standard', onHostMaintenance: 'Terminate' },
      false,
    ],
  ])('%j', (pool, expected, isInterruptible) => {
    const { onHostMaintenance, preemptible, provisioningModel } = machine(pool);
    expect(JSON.parse(JSON.stringify({ preemptible, provisioningModel, onHostMaintenance }))).toEqual(expected);
    expect(hosting.nodePools.isInterruptible?.(inputs(pool))).toBe(isInterruptible);
  });
});

it('labels do not name the template: machines are labelled again in place', () => {
  const names = [undefined, [{ key: 'a', value: 'b' }]].map((resourceLabels) => {
    const spec = machineTemplate.spec(inputs(resourceLabels === undefined ? {} : { resourceLabels })) as JsonObject;
    return JSON.stringify(machineTemplate.named?.(spec));
  });
  expect(names[0]).toBe(names[1]);
});

it('a zone outside of the region of the cluster is refused', () => {
  expect(hosting.validateNodePool(inputs({ zone: 'europe-west4-a' }))).toEqual([
    {
      path: 'spec.platform.gcp.zone',
      message: 'zone europe-west4-a is not in region us-central1 of the cluster: take one that is',
    },
  ]);
});
