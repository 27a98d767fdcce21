import { describe, expect, it } from 'vitest';
import type { ContainerContext, Program } from '@capstan/cluster';
import type { KubeObject } from '@capstan/meta';
import { EVENTS, inVirtualTime, NODES, PodCluster, PODS } from './virtual-cluster.js';

const one = (image: string, more: object = {}): object => ({ containers: [{ name: 'main', image, ...more }] });

/** A program that ignores the request to stop and ends only when it is killed; it records the signals it gets. */
function deaf(signals: string[]): Program {
  return () => {
    let finish: (code: number) => void = () => undefined;
    const exited = new Promise<number>((resolve) => {
      finish = resolve;
    });
    return { exited, stop: () => signals.push('stop'), kill: () => (signals.push('kill'), finish(137)) };
  };
}

describe('pods in virtual time', () => {
  it('a crash loop of half an hour backs off as Kubernetes does', () =>
    inVirtualTime(async (cluster, clock) => {
      const starts: number[] = [];
      cluster.programs.register('crasher', () => {
        starts.push(clock.monotonic());
        return { exited: Promise.resolve(1), stop: () => undefined, kill: () => undefined };
      });
      await cluster.createPod('p', one('crasher:1'));
      await clock.advance(30 * 60_000);
      // At once, then after 10 s, doubling up to five minutes.
      const gaps = starts.slice(1).map((at, index) => Math.round((at - (starts[index] ?? 0)) / 1000));
      expect(gaps).toEqual([0, 10, 20, 40, 80, 160, 300, 300, 300, 300]);
      const { lastState, restartCount, state } = await cluster.container('p');
      expect(restartCount).toBe(10);
      expect(state['waiting']?.['reason']).toBe('CrashLoopBackOff');
      expect(state['waiting']?.['message']).toMatch(/^back-off 5m0s restarting failed container=main pod=p_default\(/);
      expect(lastState['terminated']).toMatchObject({ exitCode: 1, reason: 'Error' });
      expect((await cluster.pod('p')).status.phase).toBe('Running');
    }));

  it('an unregistered image cannot start a command that only registered images have', () =>
    inVirtualTime(async (cluster, clock) => {
      cluster.programs.reserve('tool');
      await cluster.createPod('p', one('registry.example/wrong:1', { command: ['tool'] }));
      await clock.advance(5000);
      const why = 'exec: "tool": executable file not found in $PATH';
      const { lastState, state } = await cluster.container('p');
      expect(state['waiting']?.['reason']).toBe('CrashLoopBackOff');
      expect(lastState['terminated']).toMatchObject({ exitCode: 128, reason: 'StartError', message: why });
      const { items } = await cluster.client.list<KubeObject & { reason?: string; message?: string }>(EVENTS);
      const events = items.filter(({ reason }) => reason === 'Failed' || reason === 'Started');
      expect(events.map(({ message }) => message)).toEqual([`Error: failed to start container "main": ${why}`]);
    }));

  it('containers are started in their order, and none waits for one that cannot be', () =>
    inVirtualTime(async (cluster, clock) => {
      const started: string[] = [];
      const program =
        (delayMs: number): Program =>
        async ({ name }) => {
          await new Promise<void>((resolve) => void clock.after(delayMs, resolve));
          started.push(name);
          return { exited: new Promise<number>(() => undefined), stop: () => undefined, kill: () => undefined };
        };
      cluster.programs.register('slow', program(5000)).register('quick', program(0));
      const missing = { configMapKeyRef: { name: 'missing', key: 'a' } };
      await cluster.createPod('p', {
        containers: [
          { name: 'never', image: 'quick', env: [{ name: 'A', valueFrom: missing }] },
          { name: 'proxy', image: 'slow' },
          { name: 'program', image: 'quick' },
        ],
      });
      await clock.advance(4000);
      expect(started).toEqual([]);
      await clock.advance(2000);
      expect(started).toEqual(['proxy', 'program']);
    }));

  it('a container that ran for long enough is started again without delay', () =>
    inVirtualTime(async (cluster, clock) => {
      await cluster.createPod('p', one('any', { command: ['sleep', '700'] }));
      await clock.advance(3 * 701_000);
      const { restartCount, state } = await cluster.container('p');
      expect([restartCount, state['running'] === undefined]).toEqual([3, false]);
    }));

  it('a program that ignores the stop signal is killed after the grace period, and then the pod is deleted', () =>
    inVirtualTime(async (cluster, clock) => {
      const signals: string[] = [];
      cluster.programs.register('deaf', deaf(signals));
      await cluster.createPod('p', { ...one('deaf'), terminationGracePeriodSeconds: 20 });
      await clock.advance(100);
      await cluster.client.delete(PODS, 'p', { namespace: 'default' });
      await clock.advance(19_000);
      expect([signals, (await cluster.pod('p')).metadata.deletionGracePeriodSeconds]).toEqual([['stop'], 20]);
      await clock.advance(2000);
      expect([signals, await cluster.podIfThere('p')]).toEqual([['stop', 'kill'], undefined]);
    }));

  it('a shorter grace period of a second deletion applies', () =>
    inVirtualTime(async (cluster, clock) => {
      const signals: string[] = [];
      cluster.programs.register('deaf', deaf(signals));
      await cluster.createPod('p', { ...one('deaf'), terminationGracePeriodSeconds: 3600 });
      await clock.advance(100);
      await cluster.client.delete(PODS, 'p', { namespace: 'default' });
      await clock.advance(5000);
      await cluster.client.delete(PODS, 'p', { namespace: 'default', gracePeriodSeconds: 10 });
      // Counted from the first deletion.
      await clock.advance(4000);
      expect(await cluster.podIfThere('p')).toBeDefined();
      await clock.advance(2000);
      expect(await cluster.podIfThere('p')).toBeUndefined();
    }));

  it('the preStop hook runs before the stop signal, within the grace period', () =>
    inVirtualTime(async (cluster, clock) => {
      const lifecycle = { preStop: { sleep: { seconds: 5 } } };
      await cluster.createPod('p', one('any', { lifecycle }));
      await clock.advance(100);
      await cluster.client.delete(PODS, 'p', { namespace: 'default' });
      await clock.advance(4000);
      expect((await cluster.container('p')).state['running']).toBeDefined();
      await clock.advance(2000);
      expect(await cluster.podIfThere('p')).toBeUndefined();
    }));

  it('probes decide on start, readiness and life', () =>
    inVirtualTime(async (cluster, clock) => {
      const health = { startup: false, ready: false, live: true };
      cluster.programs.register('probed', () => {
        let finish: (code: number) => void = () => undefined;
        const exited = new Promise<number>((resolve) => {
          finish = resolve;
        });
        return {
          exited,
          stop: () => finish(0),
          kill: () => finish(137),
          exec: ({ command: [what = ''], stdout }) => {
            const ok = health[what as keyof typeof health];
            if (!ok) stdout?.write(`${what} is bad`);
            return Promise.resolve(ok ? 0 : 1);
          },
        };
      });
      const probe = (what: string, more: object = {}): object => ({
        exec: { command: [what] },
        periodSeconds: 5,
        ...more,
      });
      const probes = {
        startupProbe: probe('startup', { failureThreshold: 4 }),
        readinessProbe: probe('ready', { successThreshold: 2, initialDelaySeconds: 1 }),
        livenessProbe: probe('live', { failureThreshold: 2 }),
      };
      await cluster.createPod('p', one('probed', probes));
      await clock.advance(4000);
      expect(await cluster.container('p')).toMatchObject({ started: false, ready: false });
      health.startup = true;
      await clock.advance(5000);
      expect(await cluster.container('p')).toMatchObject({ started: true, ready: false });
      health.ready = true;
      await clock.advance(12_000);
      expect([await cluster.isReady('p'), (await cluster.container('p')).restartCount]).toEqual([true, 0]);
      health.live = false;
      health.startup = false;
      await clock.advance(11_000);
      expect(await cluster.container('p')).toMatchObject({ restartCount: 1, ready: false });
      const events = await cluster.events('p');
      expect(events).toContain('Unhealthy: Startup probe failed: startup is bad');
      expect(events).toContain('Unhealthy: Liveness probe failed: live is bad');
      expect(events).toContain('Killing: Container main failed liveness probe, will be restarted');
    }));

  it('a pod active for too long is ended', () =>
    inVirtualTime(async (cluster, clock) => {
      await cluster.createPod('p', { ...one('any'), activeDeadlineSeconds: 60, restartPolicy: 'Never' });
      await clock.advance(59_000);
      expect((await cluster.pod('p')).status.phase).toBe('Running');
      await clock.advance(2000);
      expect((await cluster.pod('p')).status).toMatchObject({
        phase: 'Failed',
        reason: 'DeadlineExceeded',
        message: 'Pod was active on the node longer than the specified deadline',
      });
    }));

  it('a new image means a new run of the container', () =>
    inVirtualTime(async (cluster, clock) => {
      const runs: string[] = [];
      cluster.programs.register('app*', ({ image }: ContainerContext) => {
        runs.push(image);
        let finish: (code: number) => void = () => undefined;
        const exited = new Promise<number>((resolve) => {
          finish = resolve;
        });
        return { exited, stop: () => finish(0), kill: () => finish(137) };
      });
      await cluster.createPod('p', one('app:1'));
      await clock.advance(100);
      const value = { spec: { containers: [{ name: 'main', image: 'app:2' }] } };
      await cluster.client.patch(PODS, 'p', { type: 'strategic', value }, { namespace: 'default' });
      await clock.advance(100);
      expect(runs).toEqual(['app:1', 'app:2']);
      expect(await cluster.container('p')).toMatchObject({ restartCount: 1, image: 'app:2' });
      expect(await cluster.events('p')).toContain('Killing: Container main definition changed, will be restarted');
    }));
});

describe('faults', () => {
  it('slow start, never ready and a missing image can be armed and disarmed', () =>
    inVirtualTime(async (cluster, clock) => {
      const { faults } = cluster.runtime;
      faults.add({ kind: 'slow-start', delayMs: 60_000 }, { pod: 'slow' });
      const disarm = faults.add({ kind: 'image-pull' }, { image: 'lost' });
      const recover = faults.add({ kind: 'never-ready' }, { pod: 'sick' });
      await cluster.createPod('slow', one('any'));
      await cluster.createPod('lost', one('lost:1'));
      await cluster.createPod('sick', one('any'));
      await clock.advance(500);
      expect((await cluster.container('slow')).state['waiting']?.['reason']).toBe('ContainerCreating');
      expect((await cluster.container('lost')).state['waiting']?.['reason']).toBe('ErrImagePull');
      expect(await cluster.container('sick')).toMatchObject({ ready: false, started: true });
      await clock.advance(2000);
      expect((await cluster.container('lost')).state['waiting']?.['reason']).toBe('ImagePullBackOff');
      disarm();
      recover();
      await clock.advance(100);
      expect(await Promise.all(['lost', 'sick', 'slow'].map((name) => cluster.isReady(name)))).toEqual([
        true,
        true,
        false,
      ]);
      await clock.advance(60_000);
      expect(await cluster.isReady('slow')).toBe(true);
    }));

  it('annotations of pods do the same', () =>
    inVirtualTime(async (cluster, clock) => {
      const annotations = { 'capstan.dev/fault': 'slow-start=5s, crash-loop=9' };
      await cluster.createPod('p', one('any'), { annotations });
      await clock.advance(4000);
      expect((await cluster.container('p')).state['waiting']?.['reason']).toBe('ContainerCreating');
      await clock.advance(7000);
      const { lastState } = await cluster.container('p');
      expect(lastState['terminated']?.['exitCode']).toBe(9);
    }));

  it('a lost node reports and does nothing, and catches up when it is back', () =>
    inVirtualTime(async (cluster, clock) => {
      await cluster.createPod('p', one('any'));
      await clock.advance(100);
      const restore = cluster.runtime.faults.add({ kind: 'node-lost' }, { node: 'node-0' });
      const lease = async (): Promise<unknown> => {
        const leases = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };
        const found = await cluster.client.get(leases, 'node-0', { namespace: 'kube-node-lease' });
        return (found['spec'] as { renewTime: string }).renewTime;
      };
      const before = await lease();
      await cluster.client.delete(PODS, 'p', { namespace: 'default' });
      await clock.advance(120_000);
      expect([await lease(), (await cluster.container('p')).ready]).toEqual([before, true]);
      restore();
      await clock.advance(100);
      expect(await cluster.podIfThere('p')).toBeUndefined();
      expect(await lease()).not.toBe(before);
    }));
});

describe('nodes', () => {
  it('a node that comes back runs its pods again and reports that they were lost', () =>
    inVirtualTime(async (cluster, clock) => {
      await cluster.createPod('p', one('any'));
      await cluster.createPod('once', { ...one('any'), restartPolicy: 'Never' });
      await cluster.createPod('going', one('any'));
      await clock.advance(100);
      await cluster.stop();
      await cluster.client.delete(PODS, 'going', { namespace: 'default' });
      const again = new PodCluster({ clock, server: cluster.server });
      const starts: string[] = [];
      again.programs.register('any', ({ pod }) => {
        starts.push(pod.name);
        return { exited: new Promise(() => undefined), stop: () => undefined, kill: () => undefined };
      });
      const starting = again.start();
      await clock.advance(100);
      await starting;
      expect(await again.container('p')).toMatchObject({
        ready: true,
        restartCount: 1,
        lastState: { terminated: { exitCode: 255, reason: 'Unknown' } },
      });
      expect((await again.pod('once')).status.phase).toBe('Failed');
      expect(await again.container('once')).toMatchObject({
        restartCount: 0,
        state: { terminated: { exitCode: 255 } },
      });
      expect(await again.podIfThere('going')).toBeUndefined();
      // Each pod that goes on is run once; what runs once or is to go is not run at all.
      await clock.advance(60_000);
      expect(starts).toEqual(['p']);
      await again.stop();
    }));

  it('renew their lease every ten seconds and share the pods', () =>
    inVirtualTime(async (cluster, clock) => {
      for (const name of ['a', 'b', 'c', 'd']) await cluster.createPod(name, one('any'));
      await clock.advance(100);
      const pods = await Promise.all(['a', 'b', 'c', 'd'].map((name) => cluster.pod(name)));
      const nodes = pods.map(({ spec }) => spec.nodeName ?? '').sort((a, b) => a.localeCompare(b));
      expect(nodes).toEqual(['node-0', 'node-0', 'node-1', 'node-1']);
      expect(new Set(pods.map(({ status }) => status.podIP)).size).toBe(4);
      const { items } = await cluster.client.list(NODES);
      const ready = items.map(({ metadata, status }) => [
        metadata.name,
        (status as { conditions: { type: string; status: string }[] }).conditions.find(({ type }) => type === 'Ready')
          ?.status,
      ]);
      expect(ready).toEqual([
        ['node-0', 'True'],
        ['node-1', 'True'],
      ]);
      await clock.advance(10_000);
      const { items: events } = await cluster.client.list(EVENTS, { namespace: 'default' });
      expect(events.filter((event) => event['reason'] === 'Scheduled').length).toBe(4);
    }, 2));

  it('a cordoned node takes no pods until it is uncordoned', () =>
    inVirtualTime(async (cluster, clock) => {
      const cordon = (unschedulable: boolean): Promise<unknown> =>
        cluster.client.patch(NODES, 'node-0', { type: 'merge', value: { spec: { unschedulable } } });
      await cordon(true);
      await cluster.createPod('p', one('any'));
      await clock.advance(1000);
      expect((await cluster.pod('p')).status.phase).toBe('Pending');
      await cordon(false);
      await clock.advance(100);
      expect((await cluster.pod('p')).status.phase).toBe('Running');
    }));
});
