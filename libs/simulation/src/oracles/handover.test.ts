import { ManualClock } from '@capstan/kube/testing';
import { systemRandom } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { Cloud } from '@capstan/upstream';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CommitEvent } from '../engine/event-log.js';
import { SimulationState } from '../scenario.js';
import { handoverOracles } from './handover.js';

const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io/awsmachines';
const MAPI = 'machine.openshift.io/machines';
const CAPI = 'cluster.x-k8s.io/machines';
const ID = 'aws:///us-east-1a/i-1';
const REQUEST = {
  platform: 'aws',
  name: 'm',
  token: 't',
  tags: {},
  image: 'i',
  type: 'x',
  region: 'r',
  zone: 'z',
} as const;
const create = (caller: string, token = 't'): void => void cloud.create(caller, { ...REQUEST, token, userData: '' });

let clock: ManualClock;
let cloud: Cloud;
beforeEach(() => {
  clock = new ManualClock(0);
  cloud = new Cloud({ clock, random: systemRandom('cloud'), timings: { boot: [0, 0], consistency: [0, 0] } });
});

interface State {
  readonly authority?: string;
  readonly isHeld?: boolean;
  readonly isPaused?: boolean;
  readonly providerID?: string;
}

/** A copy of machine `m`. */
function copy({ authority, isHeld, isPaused, providerID }: State): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Machine',
    metadata: { name: 'm', annotations: isHeld === true ? { 'cluster.x-k8s.io/paused': '' } : {} },
    spec: providerID === undefined ? {} : { providerID },
    status: {
      ...(authority === undefined ? {} : { authoritativeAPI: authority }),
      conditions: [{ type: 'Paused', status: isPaused === true ? 'True' : 'False' }],
    },
  } as KubeObject;
}

type Written = readonly [at: number, resource: string, state: State | undefined];

function violations(written: readonly Written[], endedAt = 1_000_000, living: readonly Written[] = []): string[] {
  const events = written.map(([at, resource, state], revision): CommitEvent => {
    const object = copy(state ?? {});
    return {
      at,
      process: 'p',
      type: 'commit',
      effect: revision,
      change: state === undefined ? 'delete' : 'update',
      method: 'PATCH',
      resource,
      namespace: 'n',
      name: 'm',
      revision,
      object,
      previous: undefined,
      isBlindReplace: false,
      userAgent: '',
      seen: undefined,
    };
  });
  const empty = new SimulationState(new Map());
  const final = new SimulationState(new Map(living.map(([, resource, state]) => [resource, [copy(state ?? {})]])));
  const record = {
    events,
    initial: empty,
    final,
    calmFrom: 0,
    endedAt,
    isWork: () => true,
    quietMs: 0,
    rehearsedFrom: undefined,
    unmet: [],
    failedSteps: [],
  };
  const oracles = handoverOracles({ cloud, infrastructure: INFRASTRUCTURE, machineApiCaller: 'machine-api' });
  return oracles.flatMap((oracle) => oracle.check(record).map(({ message }) => `${oracle.name}: ${message}`));
}

/** A handover as it should be, each write a second after the other. */
const SOUND: readonly Written[] = [
  [0, MAPI, { authority: 'MachineAPI' }],
  [1_000, CAPI, { isHeld: true, isPaused: true }],
  [2_000, INFRASTRUCTURE, { isHeld: true, isPaused: true }],
  [3_000, MAPI, { authority: 'Migrating' }],
  [4_000, MAPI, { authority: 'Migrating', isPaused: true }],
  [5_000, MAPI, { authority: 'ClusterAPI', isPaused: true }],
  [6_000, INFRASTRUCTURE, { isPaused: true }],
  [7_000, CAPI, { isPaused: true }],
];

describe('The checks of a handover', () => {
  it('find nothing in one that is sound', () => {
    expect(violations(SOUND)).toEqual([]);
  });

  it('find Cluster API let go before Machine API has acknowledged', () => {
    const early = SOUND.filter(([at]) => at !== 4_000).map(([at, resource, state]): Written => [
      at,
      resource,
      resource === MAPI ? { ...state, isPaused: false } : state,
    ]);
    expect(violations(early).join()).toContain('one-side-acts: both APIs may act on machine m at 6000 ms');
  });

  it('find Machine API authoritative while the provider still acts', () => {
    const back: Written[] = [
      ...SOUND,
      [8_000, CAPI, { isHeld: true, isPaused: true }],
      [9_000, MAPI, { authority: 'MachineAPI' }],
    ];
    expect(violations(back).join()).toContain('one-side-acts: both APIs may act on machine m at 9000 ms');
  });

  it('find a machine that nobody acts on for more than two minutes', () => {
    const stuck = SOUND.filter(([at]) => at < 5_000);
    expect(violations(stuck, 124_000)).toEqual([]);
    expect(violations(stuck, 125_000)).toEqual(['some-side-acts: no API may act on machine m since 4000 ms']);
  });

  it('find an instance created by the side without authority, and a second one of its name', async () => {
    await clock.advance(10_000);
    create('capi-provider-aws');
    expect(violations(SOUND.filter(([at]) => at > 7_000 || at < 6_000)).join()).toContain(
      'calls-by-the-authority: capi-provider-aws has called create for m at 10000 ms without authority',
    );
    create('machine-api', 'other');
    const all = violations(SOUND).join();
    expect(all).toContain('calls-by-the-authority: machine-api has called create for m at 10000 ms without authority');
    expect(all).toMatch(/one-instance-each: \S+ and \S+ live at once for m at 10000 ms/);
  });

  it('find an instance that no machine names', () => {
    create('machine-api');
    const { providerId } = cloud.instances[0] ?? { providerId: '' };
    const named: Written = [0, CAPI, { providerID: providerId }];
    expect(violations(SOUND, 1_000_000, [named])).toEqual([]);
    expect(violations(SOUND, 1_000_000, [[0, CAPI, { providerID: ID }]])).toEqual([
      'instances-are-named: instance m is named by 0 and 0 machines',
    ]);
  });
});
