import { describe, expect, it } from 'vitest';
import { availableOf, isReady, isUsable, viewOf } from './status.js';
import type { Observation, Observed } from './status.js';

const object = (namespace: string, status: NonNullable<Observed['status']>, name = 'a'): Observed => ({
  apiVersion: 'v1',
  kind: 'Any',
  metadata: { name, namespace },
  status,
});
const ready = (type: string): NonNullable<Observed['status']> => ({ conditions: [{ type, status: 'True' }] });
const node = object('clusters-a', { phase: 'Running', nodeRef: { name: 'n' } });

const all: Observation = {
  steps: { server: 'v1.36.3', kinds: '47 installed', fleet: 'asked for' },
  programs: [object('clusters-a', ready('Available'))],
  hosted: [],
  clusters: [object('clusters-a', ready('InfrastructureReady'))],
  machines: [node],
  pools: [{ ...object('clusters-a', {}), spec: { replicas: 1 } }],
  expected: { programs: 1, clusters: 1, pools: 1 },
  elapsedMs: 0,
};

const stage = (observation: Observation, name: string): { state: string; detail: string } | undefined => {
  const found = viewOf(observation).stages.find((each) => each.name === name);
  return found === undefined ? undefined : { state: found.state, detail: found.detail };
};

describe('what is shown of a start', () => {
  it('is ready when every program runs and every machine is a node', () => {
    expect(isReady(viewOf(all))).toBe(true);
    expect(stage(all, 'fleet')).toEqual({ state: 'done', detail: '1 cluster, 1 machine joined' });
  });

  it.each<[string, Partial<Observation>]>([
    ['the server does not answer', { steps: { ...all.steps, server: undefined } }],
    ['kinds are missing', { steps: { ...all.steps, kinds: undefined } }],
    ['nobody has asked for the fleet', { steps: { ...all.steps, fleet: undefined } }],
    ['a program is not available', { programs: [object('clusters-a', {})] }],
    ['a program is not there', { expected: { ...all.expected, programs: 2 } }],
    ['a cluster is not there', { expected: { ...all.expected, clusters: 2 } }],
    ['a cluster has no infrastructure', { clusters: [object('clusters-a', {})] }],
    ['a cluster has no machine', { machines: [object('elsewhere', node.status ?? {})] }],
    ['a machine is no node', { machines: [node, object('clusters-a', { phase: 'Provisioned' }, 'b')] }],
    ['a machine is yet to be made', { pools: [{ ...object('clusters-a', {}), spec: { replicas: 2 } }] }],
    ['the number of expected machines is unknown', { expected: { ...all.expected, pools: 2 } }],
    ['there is no machine at all', { machines: [], clusters: [], expected: { ...all.expected, clusters: 0 } }],
  ])('is not ready while %s', (_why, missing) => {
    expect(isReady(viewOf({ ...all, ...missing }))).toBe(false);
  });

  it('can be used when every program runs, whatever the fleet has come to', () => {
    const comingUp = { ...all, steps: { ...all.steps, fleet: undefined }, machines: [], clusters: [] };
    expect([isUsable(viewOf(comingUp)), isReady(viewOf(comingUp))]).toEqual([true, false]);
    expect(isUsable(viewOf({ ...all, programs: [object('clusters-a', {})] }))).toBe(false);
  });

  it('distinguishes hosted clusters that are available from those that are not', () => {
    expect(availableOf([object('clusters', ready('Available')), object('clusters', ready('Progressing'))])).toEqual([
      'a',
    ]);
  });

  it('counts what is there', () => {
    const half = {
      ...all,
      machines: [node, object('clusters-a', {}, 'b')],
      expected: { ...all.expected, programs: 3, clusters: 2 },
    };
    expect(stage(half, 'programs')).toEqual({ state: 'working', detail: '1 of 3 running' });
    expect(stage(half, 'fleet')).toEqual({
      state: 'working',
      detail: '0 of 2 clusters, 1 of 2 machines joined',
    });
  });

  it('counts an object once that is there in the standard and in the private group', () => {
    const twice = {
      ...all,
      machines: [node, object('clusters-a', { phase: 'Provisioned' })],
      pools: [...all.pools, ...all.pools],
    };
    expect(stage(twice, 'fleet')).toEqual({ state: 'done', detail: '1 cluster, 1 machine joined' });
  });

  it('names the stage at which it failed', () => {
    const failed = { ...all, steps: { ...all.steps, kinds: undefined }, failure: 'refused' };
    expect(stage(failed, 'kinds')).toEqual({ state: 'failed', detail: 'refused' });
  });
});
