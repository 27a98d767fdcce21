import type { JsonObject } from '@capstan/meta';
import { nodePoolInputs, testRelease } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { hosting } from './index.js';
import { machineTemplate } from './machine-template.js';
import { examples } from './testing/index.js';

const PATCH = 'hypershift.openshift.io/kubevirt-vm-jsonpatch';
const [POOL = {}] = examples.pools;

function made(
  annotations: { cluster?: string; pool?: string },
  pool: JsonObject = {},
): ReturnType<typeof machineTemplate.spec> {
  const inputs = nodePoolInputs(hosting, { pool: { ...POOL, ...pool } });
  const withPatch = <T extends { metadata: object }>(object: T, patch: string | undefined): T =>
    patch === undefined ? object : { ...object, metadata: { ...object.metadata, annotations: { [PATCH]: patch } } };
  return machineTemplate.spec({
    ...inputs,
    release: testRelease('4.22.0', examples.bootImages),
    hostedCluster: withPatch(inputs.hostedCluster, annotations.cluster),
    nodePool: withPatch(inputs.nodePool, annotations.pool),
  });
}

const replace = (path: string, value: unknown): string => JSON.stringify([{ op: 'replace', path, value }]);

describe('patches of users', () => {
  it('change the machine: those of the cluster first, then those of the pool', () => {
    const spec = made({
      cluster: replace('/spec/runStrategy', 'Manual'),
      pool: replace('/spec/runStrategy', 'Halted'),
    });
    expect(spec).toMatchObject({ template: { spec: { virtualMachineTemplate: { spec: { runStrategy: 'Halted' } } } } });
  });

  it.each([
    ['HostedCluster', { cluster: 'no json' }],
    ['NodePool', { pool: replace('/spec/nothing/here', 1) }],
  ])('of a %s that do not apply are reported', (of, annotations) => {
    expect(made(annotations)).toEqual([
      {
        path: `spec.platform.kubevirt (metadata.annotations[${PATCH}])`,
        message: expect.stringContaining(`the patch of the ${of} does not apply: `) as string,
      },
    ]);
  });
});

it('a guarantee is for the pod, otherwise the guest gets its size', () => {
  const domain = (qosClass: string): unknown =>
    (
      made({}, { compute: { cores: 4, memory: '16Gi', qosClass } }) as {
        template: { spec: { virtualMachineTemplate: { spec: { template: { spec: { domain: JsonObject } } } } } };
      }
    ).template.spec.virtualMachineTemplate.spec.template.spec.domain;
  expect(domain('Burstable')).toMatchObject({ memory: { guest: '16Gi' }, cpu: { cores: 4 } });
  const resources = { memory: '16Gi', cpu: '4' };
  expect(domain('Guaranteed')).toMatchObject({ resources: { requests: resources, limits: resources } });
  expect(domain('Guaranteed')).not.toHaveProperty('memory');
});

it.each<[string, JsonObject, string]>([
  ['no network at all', { attachDefaultNetwork: false }, 'spec.platform.kubevirt.attachDefaultNetwork'],
  ['a root volume of no size', { rootVolume: { type: 'Persistent' } }, 'spec.platform.kubevirt.rootVolume.persistent'],
])('%s is refused', (_, pool, path) => {
  const inputs = nodePoolInputs(hosting, { pool: { ...POOL, ...pool } });
  expect(hosting.validateNodePool(inputs).map((each) => each.path)).toEqual([path]);
});
