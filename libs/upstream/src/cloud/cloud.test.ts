import { systemRandom } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@capstan/kube/testing';
import { cloudClient, clockCarry } from './client.js';
import { Cloud } from './cloud.js';
import type { CloudOptions } from './cloud.js';
import { CloudError } from './errors.js';
import type { CloudPlatform, InstanceRequest } from './instance.js';

function fixture(options: Partial<CloudOptions> = {}): { clock: ManualClock; cloud: Cloud } {
  const random = systemRandom('cloud');
  const clock = new ManualClock();
  return { clock, cloud: new Cloud({ clock, random, ...options }) };
}

function wanted(name: string, platform: CloudPlatform = 'aws'): InstanceRequest {
  return {
    platform,
    token: `token of ${name}`,
    name,
    type: 'large',
    image: 'image-1',
    region: 'us-east-1',
    zone: 'us-east-1a',
    account: 'account',
    group: 'group',
    tags: { owner: name, cluster: 'one' },
    userData: '',
  };
}

const codeOf = (act: () => unknown): string => {
  try {
    act();
    return 'ok';
  } catch (error) {
    return error instanceof CloudError ? error.code : 'another error';
  }
};

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}';

it.each<[CloudPlatform, string]>([
  ['agent', `agent://${UUID}`],
  ['aws', 'aws:///us-east-1a/i-0[0-9a-f]{16}'],
  ['azure', 'azure:///subscriptions/account/resourceGroups/group/providers/Microsoft.Compute/virtualMachines/worker'],
  ['gcp', 'gce://account/us-east-1a/worker'],
  ['kubevirt', 'kubevirt://worker'],
  ['metal3', `metal3://${UUID}`],
  ['nutanix', `nutanix://${UUID}`],
  ['openstack', `openstack:///${UUID}`],
  ['powervs', `ibmpowervs://us-east-1/us-east-1a/account/${UUID}`],
  ['vsphere', `vsphere://${UUID}`],
])('an instance of %s has a provider id like %s', (platform, form) => {
  const { cloud } = fixture();
  expect(cloud.create('test', wanted('worker', platform)).providerId).toMatch(new RegExp(`^${form}$`));
});

describe('a cloud', () => {
  it('gives the same instance for the same token, however often it is asked', () => {
    const { cloud } = fixture();
    const first = cloud.create('test', wanted('a'));
    expect(cloud.create('another', wanted('a')).id).toBe(first.id);
    expect(cloud.instances).toHaveLength(1);
    expect(codeOf(() => cloud.create('test', { ...wanted('a'), type: 'small' }))).toBe('IdempotencyMismatch');
  });

  it('boots, stops, starts and ends instances in its own time', async () => {
    const { clock, cloud } = fixture();
    const { id } = cloud.create('test', wanted('a'));
    const states = (): unknown[] => cloud.log.filter((event) => event.operation === 'change').map((e) => e.outcome);
    await clock.advance(60_000);
    cloud.stop('test', id);
    await clock.advance(60_000);
    cloud.start('test', id);
    await clock.advance(120_000);
    cloud.terminate('test', id);
    await clock.advance(60_000);
    expect(states()).toEqual(['running', 'stopping', 'stopped', 'pending', 'running', 'stopping', 'terminated']);
    expect(codeOf(() => cloud.terminate('test', id))).toBe('ok');
    expect(cloud.get('test', id).state).toBe('terminated');
  });

  it('hides a fresh instance for a while, and still knows its token', async () => {
    const { clock, cloud } = fixture({ timings: { consistency: [2_000, 2_000] } });
    const { id } = cloud.create('test', wanted('a'));
    expect(codeOf(() => cloud.get('test', id))).toBe('NotFound');
    expect(cloud.list('test', 'aws', { cluster: 'one' })).toEqual([]);
    expect(cloud.create('test', wanted('a')).id).toBe(id);
    await clock.advance(2_000);
    expect(cloud.list('test', 'aws', { cluster: 'one', owner: 'a' }).map((each) => each.id)).toEqual([id]);
    expect(cloud.list('test', 'aws', { cluster: 'two' })).toEqual([]);
  });

  it('refuses the operations it is configured to refuse, as often as configured', () => {
    const { cloud } = fixture({ quota: 2 });
    cloud.refuse({ operation: 'create', code: 'InsufficientCapacity', times: 2, name: 'a' });
    const takeBack = cloud.refuse({ operation: 'list', code: 'Throttled' });
    const create = (name: string): string => codeOf(() => cloud.create('test', wanted(name)));
    expect(['a', 'b', 'a', 'a', 'c'].map(create)).toEqual([
      'InsufficientCapacity',
      'ok',
      'InsufficientCapacity',
      'ok',
      'QuotaExceeded',
    ]);
    expect(codeOf(() => cloud.list('test', 'aws', {}))).toBe('Throttled');
    takeBack();
    expect(codeOf(() => cloud.list('test', 'aws', {}))).toBe('ok');
    expect([cloud.calls('test', 'create'), cloud.calls('test', 'list'), cloud.calls('other', 'list')]).toEqual([
      5, 2, 0,
    ]);
  });

  it('fails the call when a listener throws, and still notifies the other listeners', () => {
    const { cloud } = fixture();
    const events: string[] = [];
    const release = cloud.subscribe(({ outcome }) => {
      if (outcome === 'ok') throw new CloudError('Unavailable', 'the disk is full');
    });
    cloud.subscribe(({ operation, outcome }) => events.push(`${operation} ${outcome}`));
    expect(codeOf(() => cloud.create('me', wanted('a')))).toBe('Unavailable');
    release();
    expect(cloud.create('me', wanted('a')).id).toBe(cloud.instances[0]?.id);
    expect([cloud.instances.length, events]).toEqual([1, ['create ok', 'create Unavailable', 'create ok']]);
  });

  it('lets a name be used again only after its instance is gone', async () => {
    const { clock, cloud } = fixture({ timings: { consistency: [0, 0] } });
    const { id } = cloud.create('test', wanted('vm', 'kubevirt'));
    const again = { ...wanted('vm', 'kubevirt'), token: 'another' };
    expect(codeOf(() => cloud.create('test', again))).toBe('InvalidParameter');
    cloud.terminate('test', id);
    await clock.advance(60_000);
    expect(cloud.create('test', again).state).toBe('pending');
  });

  it('loses an instance without having been asked', async () => {
    const { clock, cloud } = fixture();
    const { id } = cloud.create('test', wanted('a'));
    await clock.advance(60_000);
    cloud.lose(id);
    expect(cloud.instances.map((each) => each.state)).toEqual(['terminated']);
    expect(cloud.log.at(-1)?.caller).toBe('');
  });

  it('answers a client after a delay, and returns undefined for an unknown instance', async () => {
    const { clock, cloud } = fixture();
    const client = cloudClient(cloud, 'client', clockCarry(clock, systemRandom(1)));
    const asked = client.get('i-unknown');
    await clock.advance(1_000);
    expect(await asked).toBeUndefined();
    expect(cloud.calls('client', 'get')).toBe(1);
  });
});
