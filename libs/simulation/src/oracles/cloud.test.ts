import { systemRandom } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { Cloud, OWNER_TAG } from '@capstan/upstream';
import type { Instance } from '@capstan/upstream';
import { describe, expect, it } from 'vitest';
import { SimulationState } from '../scenario.js';
import type { Oracle, RunRecord } from '../scenario.js';
import type { SimulationEvent } from '../engine/event-log.js';
import { Timeline } from '../engine/timeline.js';
import { cloudOracles, machinesUnchanged } from './cloud.js';

const MACHINES = 'infrastructure.cluster.x-k8s.io/awsmachines';

function fixture(): { timeline: Timeline; cloud: Cloud; readonly launch: (token: string) => Instance } {
  const random = systemRandom('oracles');
  const timeline = new Timeline(random.split('order'));
  const cloud = new Cloud({ clock: timeline.clock(), random, timings: { consistency: [0, 0] } });
  const common = { platform: 'aws', type: 'a', image: 'b', region: 'r', zone: 'z', userData: '' } as const;
  const launch = (token: string): Instance =>
    cloud.create('provider', { ...common, token, name: token, tags: { [OWNER_TAG]: token.slice(0, 1) } });
  return { timeline, cloud, launch };
}

function machine(name: string, providerID: string, metadata: object = {}): KubeObject {
  return {
    kind: 'AWSMachine',
    metadata: { name, uid: name, namespace: 'n', ...metadata },
    spec: { providerID },
  } as never;
}

function commit(at: number, object: KubeObject, change: 'create' | 'delete' = 'create'): SimulationEvent {
  const rest = { process: 'p', effect: 1, method: 'POST', namespace: 'n', name: '', revision: 1 };
  const seen = { previous: undefined, isBlindReplace: false, userAgent: '', seen: undefined };
  return { type: 'commit', at, change, resource: MACHINES, object, ...rest, ...seen };
}

function record(events: SimulationEvent[], final: KubeObject[] = []): RunRecord {
  return {
    events,
    initial: new SimulationState(new Map()),
    final: new SimulationState(new Map([[MACHINES, final]])),
    calmFrom: 0,
    endedAt: 1000,
    isWork: () => true,
    quietMs: 0,
    rehearsedFrom: undefined,
    unmet: [],
    failedSteps: [],
  };
}

const found = (oracles: readonly Oracle[], of: RunRecord): string[] =>
  oracles.flatMap((oracle) => oracle.check(of)).map(({ oracle, message }) => `${oracle}: ${message}`);

describe('the oracles of a cloud', () => {
  it('find nothing where each instance has its machine', () => {
    const { cloud, launch } = fixture();
    const { providerId } = launch('a');
    expect(found(cloudOracles({ cloud, machines: [MACHINES] }), record([], [machine('a', providerId)]))).toEqual([]);
  });

  it('find instances of no machine, of two machines, and two for one', () => {
    const { cloud, launch } = fixture();
    const [a, b] = [launch('a1'), launch('b')];
    const again = launch('a2');
    const final = [machine('x', a.providerId), machine('y', a.providerId), machine('z', b.providerId)];
    expect(found(cloudOracles({ cloud, machines: [MACHINES] }), record([], final))).toEqual([
      `instance-owner: instance a1 (${a.providerId}) belongs to AWSMachine n/x and AWSMachine n/y`,
      `instance-owner: instance a2 (${again.providerId}) belongs to no machine`,
      `one-instance-per-token: there are 2 instances at once for a: ${a.id}, ${again.id}`,
    ]);
  });

  it('find an instance terminated that a machine still needs, and not one whose machine goes', async () => {
    const { cloud, launch, timeline } = fixture();
    const [a, b] = [launch('a'), launch('b')];
    await timeline.runUntil(100);
    cloud.terminate('provider', a.id);
    cloud.terminate('provider', b.id);
    await timeline.runUntil(60_000);
    const going = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    const events = [commit(1, machine('x', a.providerId)), commit(2, machine('y', b.providerId, going))];
    expect(found(cloudOracles({ cloud, machines: [MACHINES] }), record(events))).toEqual([
      `terminated-in-use: provider terminated ${a.id}, which AWSMachine n/x names`,
    ]);
  });

  it('find machines that came and went where none should', async () => {
    const { cloud, launch, timeline } = fixture();
    const [a, b] = [launch('a'), launch('b')];
    await timeline.runUntil(100);
    launch('a');
    const c = launch('c');
    cloud.lose(b.id);
    const step: SimulationEvent = { type: 'step', at: 50, process: 'user', detail: 'migrate' };
    const before = [commit(1, machine('x', a.providerId)), commit(2, machine('y', b.providerId)), step];
    const after = [commit(60, machine('y', b.providerId), 'delete'), commit(70, machine('z', c.providerId))];
    const oracle = machinesUnchanged({ cloud, machines: [MACHINES] }, { from: 'migrate' });
    expect(found([oracle], record([...before, ...after]))).toEqual([
      `machines-unchanged: after "migrate" no machine names ${b.providerId} any more`,
      `machines-unchanged: after "migrate" a machine names ${c.providerId} now`,
      `machines-unchanged: after "migrate" instance ${c.id} was created`,
      `machines-unchanged: after "migrate" instance ${b.id} was terminated`,
    ]);
    expect(found([oracle], record([...before]))).toHaveLength(2);
    const none = machinesUnchanged({ cloud, machines: [MACHINES] }, { from: 'nothing' });
    expect(found([none], record([...before, ...after]))).toEqual([]);
  });
});
