import type { HostedCluster } from '@capstan/api/hypershift';
import type { OperatorMode } from '@capstan/hosting';
import { Client } from '@capstan/kube';
import type { ApiResponse, KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { Predecessors } from './predecessors.js';
import { Turns } from './turns.js';

const { signal } = new AbortController();
const LEGACY = { 'hypershift.openshift.io/scope': 'legacy' };
const LOCKED = { ...LEGACY, 'hypershift.openshift.io/migration-in-progress': 'true' };

function cluster(annotations: Readonly<Record<string, string>>, uid = 'u1'): HostedCluster {
  const metadata = { name: 'a', namespace: 'clusters', uid, annotations };
  return { apiVersion: 'hypershift.openshift.io/v1beta1', kind: 'HostedCluster', metadata } as HostedCluster;
}

/** Answers every request with the next object, and then the last one again; counts them. */
class Answers {
  readonly targets: string[] = [];
  readonly client = new Client({
    send: ({ target }): Promise<ApiResponse> => {
      const [object] = this.#objects.length > 1 ? this.#objects.splice(0, 1) : this.#objects;
      this.targets.push(target);
      return Promise.resolve({ status: 200, headers: {}, body: { type: 'payload', value: () => object } } as never);
    },
  });
  readonly #objects: unknown[];

  constructor(...objects: unknown[]) {
    this.#objects = objects;
  }
}

function turnsOn({ client }: Answers, mode: OperatorMode, hasStandard = false): Turns {
  return new Turns({ mode, client, evidence: (side) => Promise.resolve(side === 'standard' && hasStandard) });
}

describe('whose turn it is', () => {
  it('is compared with the server once for each cluster', async () => {
    const answers = new Answers(cluster(LEGACY));
    const turns = turnsOn(answers, { kind: 'legacy' });
    expect([await turns.of(cluster(LEGACY), signal), await turns.of(cluster(LEGACY), signal)]).toEqual([
      { do: 'reconcile' },
      { do: 'reconcile' },
    ]);
    expect(answers.targets).toHaveLength(1);
  });

  it('waits while the cache is from before a lock', async () => {
    const turns = turnsOn(new Answers(cluster(LOCKED), cluster(LEGACY)), { kind: 'legacy' });
    expect((await turns.of(cluster(LEGACY), signal)).do).toBe('wait');
    expect((await turns.of(cluster(LEGACY), signal)).do).toBe('reconcile');
  });

  it('waits while the cache has a deleted cluster of the same name', async () => {
    const turns = turnsOn(new Answers(cluster(LEGACY, 'u2')), { kind: 'legacy' });
    expect((await turns.of(cluster(LEGACY), signal)).do).toBe('wait');
  });

  it.each<[string, HostedCluster, boolean]>([
    ['there', cluster(LOCKED), true],
    ['removed', cluster(LEGACY), false],
    ['handed over', cluster({ 'hypershift.openshift.io/private-capi-types': 'true' }), false],
    ['of a deleted cluster of the same name', cluster(LOCKED, 'u2'), false],
  ])('is locked by what the server has of the lock: %s', async (_, current, expected) => {
    const turns = turnsOn(new Answers(current), { kind: 'legacy' });
    expect(await turns.isLocked(cluster(LOCKED), 'foreign', signal)).toBe(expected);
  });

  it('costs the only operator no request', async () => {
    const answers = new Answers({});
    expect((await Turns.alone(answers.client).of(cluster(LEGACY), signal)).do).toBe('reconcile');
    expect(answers.targets).toEqual([]);
  });

  it.each<[OperatorMode, boolean, boolean]>([
    [{ kind: 'private' }, false, true],
    [{ kind: 'private' }, true, false],
    [{ kind: 'legacy' }, false, false],
    [{ kind: 'legacy' }, true, true],
    [{ kind: 'shard', scope: 'a' }, true, false],
    [{ kind: 'standard' }, false, true],
  ])(
    'for NodePools of an absent cluster, of mode %j with standard objects %s: %s',
    async (mode, hasStandard, isOwn) => {
      const turns = turnsOn(new Answers({}), mode, hasStandard);
      expect(await turns.isOfAbsentCluster({ namespace: 'clusters', name: 'a' }, signal)).toBe(isOwn);
    },
  );
});

describe('the operator from before the upgrade', () => {
  const pods = (...items: object[]): KubeObject =>
    ({ apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '1' }, items }) as never;
  const pod = { metadata: { name: 'operator-1' }, status: { phase: 'Running' } };

  it('keeps others from acting until its pods have ended, and is not asked for again then', async () => {
    const answers = new Answers(pods(pod), pods(), pods(pod), pods({ ...pod, status: { phase: 'Succeeded' } }));
    const predecessors = new Predecessors(answers.client, 'hypershift');
    const seen = [];
    for (let at = 0; at < 4; at += 1) seen.push(await predecessors.areGone(signal));
    expect(seen).toEqual([false, false, true, true]);
    expect(answers.targets).toHaveLength(5);
    expect(decodeURIComponent(answers.targets[0] ?? '')).toContain(
      '/namespaces/hypershift/pods?labelSelector=app=operator,!hypershift.openshift.io/capi-types',
    );
    expect(decodeURIComponent(answers.targets[2] ?? '')).toContain('labelSelector=name=operator,!');
  });

  it('keeps even the acknowledgement of a lock waiting', async () => {
    const predecessors = { areGone: (): Promise<boolean> => Promise.resolve(false) };
    const { client } = new Answers({});
    const turns = new Turns({ mode: { kind: 'legacy' }, client, evidence: () => Promise.resolve(false), predecessors });
    expect((await turns.of(cluster(LOCKED), signal)).do).toBe('wait');
    expect((await turns.of(cluster({}), signal)).do).toBe('leave');
  });
});
