import { describe, expect, it } from 'vitest';
import type { KubeObject, OwnerReference } from '@capstan/meta';
import { Cache } from '../cache/cache.js';
import { Client } from '../client/client.js';
import { RuntimeMetrics } from '../metrics/runtime-metrics.js';
import { silentLogger } from '../runtime/logger.js';
import type { Logger } from '../runtime/logger.js';
import { systemRandom } from '../runtime/random.js';
import { ManualClock } from '../testing/manual-clock.js';
import { json, ScriptedTransport } from '../testing/scripted-transport.js';
import { Controller } from './controller.js';
import type { ControllerOptions } from './controller.js';
import { generationChanged } from './predicates.js';
import { TerminalError } from './reconcile.js';
import type { Reconcile } from './reconcile.js';
import { EventChannel } from './sources.js';

const APPS = { group: 'example.com', version: 'v1', plural: 'apps', namespaced: true, kind: 'App' };
const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };

function object(name: string, resourceVersion: string, more: Partial<KubeObject['metadata']> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'X', metadata: { name, namespace: 'n', uid: name, resourceVersion, ...more } };
}

function owner(name: string, more: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: 'example.com/v1alpha1', kind: 'App', name, uid: name, controller: true, ...more };
}

class Fixture {
  readonly clock = new ManualClock();
  readonly transport: ScriptedTransport;
  readonly cache: Cache;
  readonly metrics = new RuntimeMetrics(this.clock);
  readonly controller: Controller;
  readonly abort = new AbortController();
  /** `n/a@-100` for everything reconciled that is not of priority 0. */
  readonly done: string[] = [];
  running: Promise<void> = Promise.resolve();

  constructor(reconcile: Reconcile = () => {}, options: Partial<ControllerOptions> & { items?: KubeObject[] } = {}) {
    const { items = [], ...rest } = options;
    const clock = this.clock;
    this.transport = new ScriptedTransport((_request, url) => {
      if (url.searchParams.has('watch')) return undefined;
      return json({ metadata: { resourceVersion: '10' }, items: url.pathname.endsWith('/apps') ? items : [] });
    });
    const common = { clock, random: systemRandom(1), logger: silentLogger() };
    const client = new Client(this.transport, common);
    this.cache = new Cache({ client, ...common, watchList: false });
    this.controller = new Controller({
      name: 'test',
      cache: this.cache,
      ...common,
      metrics: this.metrics,
      reconcile: (request, context) => {
        const { namespace, name } = request;
        this.done.push(`${namespace}/${name}${context.priority === 0 ? '' : `@${context.priority}`}`);
        return reconcile(request, context);
      },
      ...rest,
    });
  }

  async start(): Promise<void> {
    void this.cache.run(this.abort.signal);
    this.running = this.controller.run(this.abort.signal);
    this.running.catch(() => {});
    await this.clock.advance(0);
  }

  async send(plural: string, type: 'ADDED' | 'MODIFIED' | 'DELETED', sent: KubeObject): Promise<void> {
    const watch = this.transport.watches.find(({ request }) => request.target.includes(`/${plural}?`));
    watch?.send(type, sent);
    await this.clock.advance(0);
  }

  count(result: string): number {
    return this.metrics.controller.total.value(['test', result]);
  }
}

describe('Controller', () => {
  it('reconciles what there is with low priority, and what happens with its own', async () => {
    const fixture = new Fixture(undefined, { items: [object('a', '1'), object('b', '2')] });
    fixture.controller.for(APPS);
    await fixture.start();
    expect(fixture.done).toEqual(['n/a@-100', 'n/b@-100']);
    await fixture.send('apps', 'ADDED', object('c', '11'));
    await fixture.send('apps', 'MODIFIED', object('a', '12'));
    await fixture.send('apps', 'DELETED', object('b', '13'));
    expect(fixture.done.slice(2)).toEqual(['n/c', 'n/a', 'n/b']);
    expect(fixture.count('success')).toBe(5);
    fixture.abort.abort();
    await fixture.running;
    expect(fixture.clock.pending).toBe(0);
  });

  it('brings up owners by group and kind whatever the version, the old and the new', async () => {
    const fixture = new Fixture();
    fixture.controller.for(APPS).owns(PODS);
    await fixture.start();
    await fixture.send('pods', 'ADDED', object('p', '11', { ownerReferences: [owner('a')] }));
    await fixture.send('pods', 'MODIFIED', object('p', '12', { ownerReferences: [owner('b')] }));
    await fixture.send('pods', 'MODIFIED', object('p', '13', { ownerReferences: [owner('b')] }));
    await fixture.send('pods', 'ADDED', object('q', '14', { ownerReferences: [owner('x', { controller: false })] }));
    await fixture.send('pods', 'ADDED', object('r', '15', { ownerReferences: [owner('x', { kind: 'Other' })] }));
    await fixture.send(
      'pods',
      'ADDED',
      object('s', '16', { ownerReferences: [owner('x', { apiVersion: 'apps/v1' })] }),
    );
    expect(fixture.done).toEqual(['n/a', 'n/a', 'n/b', 'n/b']);
    fixture.abort.abort();
  });

  it('maps other objects, takes channels, and asks predicates', async () => {
    const channel = new EventChannel('cloud');
    channel.send(object('early', '1'));
    const fixture = new Fixture();
    fixture.controller
      .for(APPS, { predicates: [generationChanged] })
      .watches(PODS, ({ metadata }) => [{ namespace: 'm', name: metadata.labels?.['app'] ?? '' }])
      .from(channel, ({ metadata }) => [{ namespace: '', name: metadata.name ?? '' }]);
    await fixture.start();
    await fixture.send('apps', 'ADDED', object('a', '11', { generation: 1 }));
    await fixture.send('apps', 'MODIFIED', object('a', '12', { generation: 1 }));
    await fixture.send('apps', 'MODIFIED', object('a', '13', { generation: 2 }));
    await fixture.send('pods', 'ADDED', object('p', '14', { labels: { app: 'x' } }));
    channel.send(object('late', '1'));
    await fixture.clock.advance(0);
    expect(fixture.done).toEqual(['/early', 'n/a', 'n/a', 'm/x', '/late']);
    fixture.abort.abort();
  });

  it('gathers events of one object, and reconciles it once', async () => {
    const fixture = new Fixture(undefined, { gatherMs: 100 });
    fixture.controller.for(APPS);
    await fixture.start();
    await fixture.send('apps', 'ADDED', object('a', '11'));
    await fixture.clock.advance(60);
    await fixture.send('apps', 'MODIFIED', object('a', '12'));
    expect(fixture.done).toEqual([]);
    await fixture.clock.advance(40);
    expect(fixture.done).toEqual(['n/a']);
    await fixture.clock.advance(1000);
    expect(fixture.done).toEqual(['n/a']);
    fixture.abort.abort();
  });

  it('reconciles one object at once, and again no sooner than after the gap, however many events arrive meanwhile', async () => {
    const fixture = new Fixture(undefined, { minGapMs: 1000 });
    fixture.controller.for(APPS);
    await fixture.start();
    await fixture.send('apps', 'ADDED', object('a', '11'));
    expect(fixture.done).toEqual(['n/a']);
    await fixture.send('apps', 'ADDED', object('b', '12'));
    expect(fixture.done).toEqual(['n/a', 'n/b']);
    await fixture.clock.advance(400);
    await fixture.send('apps', 'MODIFIED', object('a', '13'));
    await fixture.clock.advance(400);
    await fixture.send('apps', 'MODIFIED', object('a', '14'));
    expect(fixture.done).toEqual(['n/a', 'n/b']);
    await fixture.clock.advance(200);
    expect(fixture.done).toEqual(['n/a', 'n/b', 'n/a']);
    await fixture.clock.advance(5000);
    await fixture.send('apps', 'MODIFIED', object('a', '15'));
    expect(fixture.done).toEqual(['n/a', 'n/b', 'n/a', 'n/a']);
    fixture.abort.abort();
  });

  it('tries failures again, longer and longer, at their priority, until they succeed', async () => {
    const at: number[] = [];
    const fixture: Fixture = new Fixture(
      () => {
        at.push(fixture.clock.monotonic());
        if (at.length < 5) throw new Error('not yet');
      },
      { items: [object('a', '1')] },
    );
    fixture.controller.for(APPS);
    await fixture.start();
    await fixture.clock.advance(1000);
    expect(at).toEqual([0, 5, 15, 35, 75]);
    expect(new Set(fixture.done)).toEqual(new Set(['n/a@-100']));
    expect([fixture.count('error'), fixture.count('success')]).toEqual([4, 1]);
    expect(fixture.metrics.controller.panics.value(['test'])).toBe(0);
    fixture.abort.abort();
  });

  it('comes back after the time a result names, at the priority it names', async () => {
    const fixture: Fixture = new Fixture(
      () => (fixture.done.length < 3 ? { requeueAfterMs: 60_000, priority: fixture.done.length } : {}),
      { items: [object('a', '1')] },
    );
    fixture.controller.for(APPS);
    await fixture.start();
    await fixture.clock.advance(59_999);
    expect(fixture.done).toHaveLength(1);
    await fixture.clock.advance(120_000);
    expect(fixture.done).toEqual(['n/a@-100', 'n/a@1', 'n/a@2']);
    expect([fixture.count('requeue_after'), fixture.count('success')]).toEqual([2, 1]);
    fixture.abort.abort();
  });

  it('gives up on a terminal error, also as the cause of another', async () => {
    const fixture = new Fixture(() => Promise.reject(new Error('outer', { cause: new TerminalError('never') })), {
      items: [object('a', '1')],
    });
    fixture.controller.for(APPS);
    await fixture.start();
    await fixture.clock.advance(2_000_000);
    expect(fixture.done).toHaveLength(1);
    const { errors, terminalErrors } = fixture.metrics.controller;
    expect([errors.value(['test']), terminalErrors.value(['test'])]).toEqual([1, 1]);
    fixture.abort.abort();
  });

  it('survives a panic of the reconciler, or ends with it when so configured', async () => {
    const fault = (): never => {
      throw new TypeError('x is undefined');
    };
    const fixture = new Fixture(fault, { items: [object('a', '1')] });
    fixture.controller.for(APPS);
    await fixture.start();
    await fixture.clock.advance(5);
    expect(fixture.done).toHaveLength(2);
    expect(fixture.metrics.controller.panics.value(['test'])).toBe(2);
    fixture.abort.abort();
    await fixture.running;

    const strict = new Fixture(fault, { items: [object('a', '1')], recoverPanic: false });
    strict.controller.for(APPS);
    await strict.start();
    await expect(strict.running).rejects.toThrow('x is undefined');
    strict.abort.abort();
  });

  it('aborts a reconciliation that takes too long, and tries it again', async () => {
    const fixture = new Fixture(
      (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
      { items: [object('a', '1')], reconcileTimeoutMs: 1000 },
    );
    fixture.controller.for(APPS);
    await fixture.start();
    await fixture.clock.advance(1004);
    expect(fixture.done).toHaveLength(1);
    await fixture.clock.advance(1);
    expect(fixture.done).toHaveLength(2);
    expect(fixture.metrics.controller.timeouts.value(['test'])).toBe(1);
    fixture.abort.abort();
    await fixture.running;
    expect(fixture.clock.pending).toBe(0);
  });

  it('works on several objects at once, never on one twice, and waits for all of them at the end', async () => {
    const open = new Map<string, () => void>();
    let most = 0;
    const fixture: Fixture = new Fixture(
      ({ name }) =>
        new Promise((resolve) => {
          expect(open.has(name)).toBe(false);
          open.set(name, resolve);
          most = Math.max(most, open.size);
        }),
      { items: ['a', 'b', 'c', 'd'].map((name) => object(name, '1')), maxConcurrent: 3 },
    );
    fixture.controller.for(APPS);
    await fixture.start();
    expect([...open.keys()]).toEqual(['a', 'b', 'c']);
    expect(fixture.metrics.controller.activeWorkers.value(['test'])).toBe(3);
    await fixture.send('apps', 'MODIFIED', object('a', '20'));
    let ended = false;
    void fixture.running.then(() => (ended = true));
    const release = open.get('b');
    open.delete('b');
    release?.();
    await fixture.clock.advance(0);
    // What happened is before what was there.
    expect([...open.keys()]).toEqual(['a', 'c', 'd']);
    fixture.abort.abort();
    await fixture.clock.advance(0);
    expect(ended).toBe(false);
    for (const resolve of open.values()) resolve();
    await fixture.running;
    expect(most).toBe(3);
  });

  it('does not start when the cache never syncs', async () => {
    const fixture = new Fixture();
    fixture.controller.for(APPS);
    const running = fixture.controller.run(fixture.abort.signal);
    running.catch(() => {});
    await fixture.clock.advance(120_000);
    await expect(running).rejects.toThrow('test: no complete state of apps in time');
  });

  it('runs only once', async () => {
    const fixture = new Fixture();
    fixture.controller.for(APPS);
    await fixture.start();
    await expect(fixture.controller.run(fixture.abort.signal)).rejects.toThrow('test was started before');
    fixture.abort.abort();
    await fixture.running;
  });

  it('names the object and the reconciliation in every line of its log', async () => {
    const lines: [string, unknown][] = [];
    const logger: Logger = { ...silentLogger(), error: (message, fields) => lines.push([message, fields]) };
    const fixture = new Fixture(() => Promise.reject(new TerminalError('no')), { items: [object('a', '1')], logger });
    fixture.controller.for(APPS);
    await fixture.start();
    expect(lines).toEqual([
      [
        'reconciliation failed and is not retried',
        {
          controller: 'test',
          namespace: 'n',
          name: 'a',
          reconcileID: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
          error: 'no',
        },
      ],
    ]);
    fixture.abort.abort();
  });

  it('shows its doings under the names dashboards know', async () => {
    const fixture = new Fixture(undefined, { items: [object('a', '1')] });
    fixture.controller.for(APPS);
    await fixture.start();
    const page = fixture.metrics.render();
    for (const line of [
      'controller_runtime_reconcile_total{controller="test",result="success"} 1',
      'controller_runtime_reconcile_total{controller="test",result="requeue"} 0',
      'controller_runtime_reconcile_panics_total{controller="test"} 0',
      'controller_runtime_max_concurrent_reconciles{controller="test"} 1',
      'controller_runtime_active_workers{controller="test"} 0',
      'controller_runtime_reconcile_time_seconds_count{controller="test"} 1',
      'workqueue_adds_total{name="test",controller="test"} 1',
      'workqueue_queue_duration_seconds_count{name="test",controller="test"} 1',
      'workqueue_work_duration_seconds_count{name="test",controller="test"} 1',
      'workqueue_unfinished_work_seconds{name="test",controller="test"} 0',
      'workqueue_longest_running_processor_seconds{name="test",controller="test"} 0',
      '# TYPE workqueue_depth gauge',
      '# TYPE leader_election_master_status gauge',
      'certwatcher_read_certificate_total 0',
    ])
      expect(page.split('\n')).toContain(line);
    fixture.abort.abort();
  });
});
