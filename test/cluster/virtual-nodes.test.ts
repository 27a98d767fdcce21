import {
  NodeLifecycleController,
  PodGarbageCollector,
  ReplicaSetController,
  TaintEvictionController,
} from '@capstan/cluster';
import type { ManualClock } from '@capstan/kube/testing';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { inVirtualTime, NODES, PodCluster, PODS } from './virtual-cluster.js';
import type { Pod } from './virtual-cluster.js';

const REPLICA_SETS = { group: 'apps', version: 'v1', plural: 'replicasets', namespaced: true };
const UNREACHABLE = 'node.kubernetes.io/unreachable';
const one = { containers: [{ name: 'main', image: 'any' }] };

interface Node extends KubeObject {
  spec: { taints?: { key: string; effect: string }[] };
  status: { conditions: { type: string; status: string; message?: string }[] };
}

function withNodeControllers(test: (on: PodCluster<ManualClock>, clock: ManualClock) => Promise<void>, nodes = 1) {
  return inVirtualTime(test, nodes, (options) => [
    new NodeLifecycleController(options),
    new TaintEvictionController(options),
    new PodGarbageCollector(options),
    new ReplicaSetController(options),
  ]);
}

async function stateOf(on: PodCluster<ManualClock>, name = 'node-0'): Promise<[string | undefined, string[]]> {
  const { spec, status } = await on.client.get<Node>(NODES, name);
  const ready = status.conditions.find(({ type }) => type === 'Ready');
  return [ready?.status, (spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`)];
}

/** Seconds until it holds. */
async function secondsUntil(clock: ManualClock, limit: number, holds: () => Promise<boolean>): Promise<number> {
  for (let second = 0; second <= limit; second += 1) {
    if (await holds()) return second;
    await clock.advance(1000);
  }
  throw new Error(`it did not hold within ${limit} s: ${String(holds)}`);
}

const isGoing = ({ metadata }: Pod): boolean => metadata.deletionTimestamp != null;

describe('a node that is lost', () => {
  it('is not ready, then tainted; its pods are evicted when they have borne it, and hang until it is back', () =>
    withNodeControllers(async (on, clock) => {
      const toleration = { key: UNREACHABLE, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 };
      await on.createPod('patient', one);
      await on.createPod('hasty', { ...one, tolerations: [toleration] });
      await clock.advance(1000);
      expect([await on.isReady('patient'), await stateOf(on)]).toEqual([true, ['True', []]]);
      const restore = on.runtime.faults.add({ kind: 'node-lost' }, { node: 'node-0' });
      const silent = await secondsUntil(clock, 60, async () => (await stateOf(on))[0] === 'Unknown');
      expect(silent).toBeGreaterThanOrEqual(30);
      expect(silent).toBeLessThanOrEqual(50);
      await clock.advance(1000);
      expect(await stateOf(on)).toEqual(['Unknown', [`${UNREACHABLE}:NoSchedule`, `${UNREACHABLE}:NoExecute`]]);
      expect([await on.isReady('patient'), await on.isReady('hasty')]).toEqual([false, false]);
      const hasty = await secondsUntil(clock, 120, async () => isGoing(await on.pod('hasty')));
      expect([hasty, isGoing(await on.pod('patient'))]).toEqual([expect.closeTo(59, -0.5), false]);
      const rest = await secondsUntil(clock, 400, async () => isGoing(await on.pod('patient')));
      // A pod without a toleration gets the default of five minutes.
      expect(hasty + rest).toBeGreaterThanOrEqual(297);
      expect(hasty + rest).toBeLessThanOrEqual(301);
      // Long after their grace period they are still there, as no kubelet can report that they have ended.
      await clock.advance(3_600_000);
      for (const name of ['patient', 'hasty']) {
        const { metadata, status } = await on.pod(name);
        expect([metadata.deletionGracePeriodSeconds, status.phase]).toEqual([30, 'Running']);
        expect(status.conditions).toContainEqual(
          expect.objectContaining({ type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager' }),
        );
      }
      restore();
      await clock.advance(60_000);
      expect([await on.podIfThere('patient'), await on.podIfThere('hasty')]).toEqual([undefined, undefined]);
      expect(await stateOf(on)).toEqual(['True', []]);
    }));

  it('keeps the pods of a set apart: others take their place elsewhere, and nothing runs twice on one name', () =>
    withNodeControllers(async (on, clock) => {
      const selector = { matchLabels: { app: 'web' } };
      const template = { metadata: { labels: { app: 'web' } }, spec: one };
      await on.client.create(REPLICA_SETS, {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: { name: 'web', namespace: 'default' },
        spec: { replicas: 2, selector, template },
      });
      await clock.advance(2000);
      const pods = async (): Promise<Pod[]> =>
        (await on.client.list(PODS, { namespace: 'default', labelSelector: 'app=web' })).items as unknown as Pod[];
      const places = async (): Promise<(string | undefined)[]> =>
        (await pods())
          .map(({ metadata, spec }) => `${spec.nodeName}${metadata.deletionTimestamp ? ' going' : ''}`)
          .sort();
      expect(await places()).toEqual(['node-0', 'node-1']);
      const restore = on.runtime.faults.add({ kind: 'node-lost' }, { node: 'node-0' });
      await clock.advance(400_000);
      expect(await places()).toEqual(['node-0 going', 'node-1', 'node-1']);
      restore();
      await clock.advance(60_000);
      expect(await places()).toEqual(['node-1', 'node-1']);
    }, 2));
});

describe('a node that dies again and again', () => {
  it('keeps counting restarts, also when it dies before its containers have started', () =>
    inVirtualTime(async (on, clock) => {
      await on.createPod('p', one);
      await clock.advance(1000);
      await on.stop();
      const seen: unknown[] = [];
      for (const delayMs of [0, 60_000, 60_000, 0]) {
        const next = new PodCluster({ clock, server: on.server });
        if (delayMs > 0) next.runtime.faults.add({ kind: 'slow-start', delayMs });
        const starting = next.start();
        await clock.advance(1000);
        await starting;
        const { lastState, restartCount, state } = await next.container('p');
        seen.push([restartCount, Object.keys(state)[0], lastState['terminated']?.['exitCode']]);
        const stopping = next.stop();
        await clock.advance(0);
        await stopping;
      }
      expect(seen).toEqual([
        [1, 'running', 255],
        [2, 'waiting', 255],
        [2, 'waiting', 255],
        [2, 'running', 255],
      ]);
    }));
});

describe('a node that dies while it waits for a volume', () => {
  it('remembers what ran before: a container that runs once is not run again', () =>
    inVirtualTime(async (on, clock) => {
      const maps = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };
      const metadata = { name: 'config', namespace: 'default' };
      const createMap = (): Promise<unknown> =>
        on.client.create(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
      await createMap();
      const spec = { ...one, volumes: [{ name: 'config', configMap: { name: 'config' } }] };
      await on.createPod('always', spec);
      await on.createPod('once', { ...spec, restartPolicy: 'Never' });
      await clock.advance(1000);
      expect([await on.isReady('always'), await on.isReady('once')]).toEqual([true, true]);
      await on.stop();
      await on.client.delete(maps, 'config', { namespace: 'default' });
      const starts: string[] = [];
      for (const isThere of [false, false, true]) {
        if (isThere) await createMap();
        const next = new PodCluster({ clock, server: on.server });
        next.programs.register('any', ({ pod }) => {
          starts.push(pod.name);
          return { exited: new Promise(() => undefined), stop: () => undefined, kill: () => undefined };
        });
        const starting = next.start();
        await clock.advance(1000);
        await starting;
        const stopping = next.stop();
        await clock.advance(0);
        await stopping;
      }
      expect([starts, (await on.container('always')).restartCount]).toEqual([['always'], 1]);
      expect((await on.pod('once')).status.phase).toBe('Failed');
    }));
});

describe('a pod that is stuck', () => {
  it('keeps its name while it terminates, until the fault is over or it is deleted by force', () =>
    inVirtualTime(async (on, clock) => {
      const release = on.runtime.faults.add({ kind: 'stuck-terminating' });
      await on.createPod('freed', one);
      await on.createPod('forced', one);
      await clock.advance(1000);
      for (const name of ['freed', 'forced']) await on.client.delete(PODS, name, { namespace: 'default' });
      await clock.advance(600_000);
      expect([isGoing(await on.pod('freed')), isGoing(await on.pod('forced'))]).toEqual([true, true]);
      await expect(on.createPod('forced', one)).rejects.toThrow(
        'object is being deleted: pods "forced" already exists',
      );
      await on.client.delete(PODS, 'forced', { namespace: 'default', gracePeriodSeconds: 0 });
      expect(await on.podIfThere('forced')).toBeUndefined();
      expect(isGoing(await on.pod('freed'))).toBe(true);
      release();
      await clock.advance(1000);
      expect(await on.podIfThere('freed')).toBeUndefined();
    }));

  it('crashes on demand with the code asked for, and no longer when the fault is over', () =>
    inVirtualTime(async (on, clock) => {
      const cure = on.runtime.faults.add({ kind: 'crash-loop', exitCode: 7 }, { pod: 'p' });
      await on.createPod('p', one);
      await on.createPod('q', one);
      await clock.advance(120_000);
      const { lastState, restartCount, state } = await on.container('p');
      expect([lastState['terminated']?.['exitCode'], state['waiting']?.['reason']]).toEqual([7, 'CrashLoopBackOff']);
      expect([restartCount > 2, await on.isReady('q')]).toEqual([true, true]);
      cure();
      await clock.advance(300_000);
      expect([await on.isReady('p'), (await on.container('q')).restartCount]).toEqual([true, 0]);
    }));
});
