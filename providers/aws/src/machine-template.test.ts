import type { JsonObject } from '@capstan/meta';
import { nodePoolInputs, testRelease } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { hosting } from './index.js';
import { machineTemplate } from './machine-template.js';
import { examples } from './testing/index.js';

const POOL = { instanceType: 'm5.large', subnet: { id: 'subnet-1' } };
const [LEAST = {}] = examples.clusters;

function inputs(pool: JsonObject, cluster: JsonObject = {}): ReturnType<typeof nodePoolInputs> {
  const made = nodePoolInputs(hosting, { cluster: { ...LEAST, ...cluster }, pool: { ...POOL, ...pool } });
  return { ...made, release: testRelease('4.22.0', examples.bootImages) };
}

function machine(pool: JsonObject, cluster: JsonObject = {}): JsonObject {
  const spec = machineTemplate.spec(inputs(pool, cluster)) as { template: { spec: JsonObject } };
  return spec.template.spec;
}

describe('where machines are placed', () => {
  const id = 'cr-0123456789abcdef0';

  it.each<[string, JsonObject, JsonObject]>([
    ['nowhere in particular', {}, {}],
    ['on hosts of their own', { tenancy: 'dedicated' }, { tenancy: 'dedicated' }],
    ['on the spot market', { marketType: 'Spot' }, { spotMarketOptions: {} }],
    [
      'on it for a price',
      { marketType: 'Spot', spot: { maxPrice: '0.2' } },
      { spotMarketOptions: { maxPrice: '0.2' } },
    ],
    [
      'in a reservation, which alone means its block',
      { capacityReservation: { id } },
      { marketType: 'CapacityBlock', capacityReservationId: id },
    ],
    [
      'in a reservation, on a host, which means no block',
      { tenancy: 'host', capacityReservation: { id } },
      { tenancy: 'host', capacityReservationId: id },
    ],
    [
      'in a reservation by the older field',
      { capacityReservation: { id, marketType: 'OnDemand' } },
      { marketType: 'OnDemand', capacityReservationId: id },
    ],
    [
      'by the newer field, whatever the older',
      { marketType: 'CapacityBlocks', capacityReservation: { id, marketType: 'OnDemand' } },
      { marketType: 'CapacityBlock', capacityReservationId: id },
    ],
    [
      'only where there is a reservation',
      { capacityReservation: { preference: 'CapacityReservationsOnly' } },
      { capacityReservationPreference: 'CapacityReservationsOnly' },
    ],
    ['where an empty preference means absent', { capacityReservation: { preference: '' } }, {}],
  ])('%s', (_, placement, expected) => {
    const fields = [
      'tenancy',
      'marketType',
      'spotMarketOptions',
      'capacityReservationId',
      'capacityReservationPreference',
    ];
    const made = Object.entries(machine({ placement })).filter(([field]) => fields.includes(field));
    expect(Object.fromEntries(made)).toEqual(expected);
  });
});

describe('tags', () => {
  const owned = { 'kubernetes.io/cluster/example-x7k2p': 'owned' };

  it.each<[string, JsonObject[], JsonObject[], JsonObject]>([
    ['say whose the machines are', [], [], owned],
    [
      'are those of the cluster and of the pool',
      [{ key: 'a', value: '1' }],
      [{ key: 'b', value: '2' }],
      { a: '1', b: '2', ...owned },
    ],
    ['of the cluster stay', [{ key: 'a', value: '1' }], [{ key: 'a', value: '2' }], { a: '1', ...owned }],
    [
      'of the cluster give way to those of the pool',
      [{ key: 'a', value: '1', overridePolicy: 'Allow' }],
      [{ key: 'a', value: '2' }],
      { a: '2', ...owned },
    ],
    [
      'may say otherwise whose they are',
      [{ key: 'kubernetes.io/cluster/example-x7k2p', value: 'shared' }],
      [],
      { 'kubernetes.io/cluster/example-x7k2p': 'shared' },
    ],
  ])('%s', (_, ofCluster, ofPool, expected) => {
    expect(machine({ resourceTags: ofPool }, { resourceTags: ofCluster })['additionalTags']).toEqual(expected);
  });

  it('do not name the template: machines are tagged again in place', () => {
    const names = [[], [{ key: 'a', value: '1' }]].map((resourceTags) =>
      JSON.stringify(machineTemplate.named?.(machineTemplate.spec(inputs({ resourceTags })) as JsonObject)),
    );
    expect(names[0]).toBe(names[1]);
    expect(names[0]).toContain('m5.large');
  });
});

describe('images', () => {
  it.each<[string, JsonObject, string | undefined]>([
    ['are those of the release for the region', {}, 'ami-linux'],
    ['of Windows are others', { imageType: 'Windows' }, 'ami-windows'],
    ['of users go before', { ami: 'ami-own', imageType: 'Windows' }, 'ami-own'],
  ])('%s', (_, pool, image) => {
    expect(machine(pool)['ami']).toEqual({ id: image });
  });

  it('that the release does not have are asked for', () => {
    expect(machineTemplate.spec(inputs({}, { region: 'eu-west-9' }))).toEqual([
      {
        path: 'spec.platform.aws.ami',
        message: 'release 4.22.0 has no amd64 image for region eu-west-9: name one in ami, or use a release that has',
      },
    ]);
  });
});

describe('other words', () => {
  it('the group that the cluster made for its nodes is taken too', () => {
    const made = inputs({ securityGroups: [{ id: 'sg-1' }] });
    const status = { platform: { aws: { defaultWorkerSecurityGroupID: 'sg-default' } } };
    const hostedCluster = { ...made.hostedCluster, status: { ...made.hostedCluster.status, ...status } };
    const spec = machineTemplate.spec({ ...made, hostedCluster: hostedCluster as typeof made.hostedCluster });
    expect(spec).toMatchObject({
      template: { spec: { additionalSecurityGroups: [{ id: 'sg-1' }, { id: 'sg-default' }] } },
    });
  });

  it.each<[string, JsonObject, JsonObject, string]>([
    [
      'spot instances in place',
      { placement: { marketType: 'Spot' } },
      { management: { upgradeType: 'InPlace' } },
      'spec.management.upgradeType',
    ],
    ['another architecture in a cluster of one', {}, { arch: 'arm64' }, 'spec.arch'],
  ])('%s are refused', (_, pool, more, path) => {
    const made = inputs(pool, { multiArch: false });
    const nodePool = { ...made.nodePool, spec: { ...made.nodePool.spec, ...more } } as typeof made.nodePool;
    expect(hosting.validateNodePool({ ...made, nodePool }).map((each) => each.path)).toEqual([path]);
  });
});
