import { expect } from 'vitest';
import { CONFIG_MAPS, configMap, deleted, DEPLOYMENTS, deployment, HOLD, pod, PODS } from '../objects.js';
import type { Scenario } from '../scenario.js';
import type { Session } from '../session.js';

/** Clients from 1.35 on do so unasked: the first list comes as the beginning of a watch. */
const WATCH_LIST = { env: { KUBE_FEATURE_WatchListClient: 'true' } };

const patch = (k: Session, name: string, value: unknown): Promise<unknown> =>
  k.client.patch(CONFIG_MAPS, name, { type: 'merge', value }, { namespace: k.namespace });

const setReady = (k: Session, status: string): Promise<unknown> => {
  const value = { status: { conditions: [{ type: 'Ready', status }] } };
  return k.client.patch(PODS, 'p1', { type: 'strategic', value }, { namespace: k.namespace, subresource: 'status' });
};

async function relabelled(k: Session, options: { env?: Record<string, string> }): Promise<void> {
  await k.create(CONFIG_MAPS, configMap('one', { a: '1' }, { labels: { app: 'web' } }));
  const watch = k.start('get cm -l app=web -w --output-watch-events', options);
  await watch.lines(2);
  await patch(k, 'one', { data: { b: '2' } });
  await watch.lines(3);
  await patch(k, 'one', { metadata: { labels: { app: 'db' } }, data: { c: '3' } });
  await watch.lines(4);
  await patch(k, 'one', { metadata: { labels: { app: 'web' } } });
  await watch.lines(5);
  await k.client.delete(CONFIG_MAPS, 'one', { namespace: k.namespace });
  expect(await watch.lines(6)).toEqual([
    'EVENT  NAME  DATA  AGE',
    'ADDED  one  1  <age>',
    'MODIFIED  one  2  <age>',
    'DELETED  one  2  <age>',
    'ADDED  one  3  <age>',
    'DELETED  one  3  <age>',
  ]);
  expect((await watch.stop()).stderr).toBe('');
}

/**
 * Counts up in `one` while kubectl watches. Nothing shows when its watch begins, and what happens before is not shown;
 * from then on no number may be missing or come twice.
 */
async function countedOnce(k: Session, command: string[], before: readonly string[]): Promise<void> {
  const watch = k.start(command);
  let n = 0;
  if (before.length > 0) await watch.lines(before.length);
  do {
    n += 1;
    await patch(k, 'one', { data: { n: String(n) } });
  } while ((await watch.lines(before.length + 1, 50)).length === before.length && n < 200);
  const [first] = (await watch.lines(before.length + 1)).slice(before.length);
  await k.create(CONFIG_MAPS, configMap('two', { n: 'other' }));
  for (const last of [n + 1, n + 2]) await patch(k, 'one', { data: { n: String(last) } });
  const count = n + 3 - Number(first);
  const named = command[2] === 'one';
  const lines = await watch.lines(before.length + count + (named ? 0 : 1));
  const expected = Array.from({ length: count }, (_, index) => String(Number(first) + index));
  expect(lines.filter((line) => line !== 'other')).toEqual([...before, ...expected]);
  expect(lines.includes('other')).toBe(!named);
  expect((await watch.stop()).stderr).toBe('');
}

async function waitForReady(k: Session, options: { env?: Record<string, string> }): Promise<void> {
  await k.create(PODS, pod('p1', { nodeName: 'n1' }));
  await setReady(k, 'False');
  const waiting = k.start('wait --for=condition=Ready pod/p1 --timeout=20s', options);
  // Not knowable from outside when it watches; either way it must end well.
  const changed = setReady(k, 'True');
  expect(await waiting.ended()).toEqual({ code: 0, stdout: 'pod/p1 condition met\n', stderr: '' });
  await changed;
}

async function deleteAndWait(k: Session, options: { env?: Record<string, string> }): Promise<void> {
  await k.create(CONFIG_MAPS, configMap('one', {}, { finalizers: [HOLD] }));
  const waiting = k.start('wait --for=delete cm/one --timeout=20s', options);
  const deleting = k.start('delete cm one', options);
  await deleting.lines(1);
  await patch(k, 'one', { metadata: { finalizers: null } });
  expect(await deleting.ended()).toEqual({ code: 0, stdout: deleted(k, 'configmap "one"'), stderr: '' });
  expect(await waiting.ended()).toMatchObject({ code: 0, stderr: '' });
}

/** Watching and waiting. */
export const waitingScenarios: readonly Scenario[] = [
  {
    name: 'get -w of a selection shows objects that enter, change and leave it',
    smoke: true,
    run: (k) => relabelled(k, {}),
  },
  { name: 'get -w is the same with watch-list', since: 32, run: (k) => relabelled(k, WATCH_LIST) },
  {
    name: 'get -w of a name shows every change once and in order',
    run: async (k) => {
      await k.create(CONFIG_MAPS, configMap('one', { n: 'first' }));
      await countedOnce(k, ['get', 'cm', 'one', '-w', '-o', 'jsonpath={.data.n}{"\\n"}'], ['first']);
    },
  },
  {
    name: 'get --watch-only shows only what is new',
    run: async (k) => {
      await k.create(CONFIG_MAPS, configMap('one', { n: 'first' }));
      await countedOnce(k, ['get', 'cm', '--watch-only', '-o', 'jsonpath={.data.n}{"\\n"}'], []);
    },
  },
  { name: 'wait --for=condition ends when the condition comes', smoke: true, run: (k) => waitForReady(k, {}) },
  { name: 'wait --for=condition is the same with watch-list', since: 32, run: (k) => waitForReady(k, WATCH_LIST) },
  { name: 'wait --for=delete and delete end when the object is gone', run: (k) => deleteAndWait(k, {}) },
  {
    name: 'wait --for=delete and delete are the same with watch-list',
    since: 32,
    run: (k) => deleteAndWait(k, WATCH_LIST),
  },
  {
    name: 'wait --for=jsonpath compares a value, or takes any',
    run: async (k) => {
      await k.create(PODS, pod('p1'));
      await k.prints(
        ['wait', '--for=jsonpath={.spec.containers[0].image}=nginx:1', 'pod/p1', '--timeout=5s'],
        'pod/p1 condition met\n',
      );
      if (k.minor >= 31)
        await k.prints(['wait', '--for=jsonpath={.status.phase}', 'pod/p1', '--timeout=5s'], 'pod/p1 condition met\n');
    },
  },
  {
    name: 'wait gives up after its time',
    run: async (k) => {
      await k.create(DEPLOYMENTS, deployment());
      await k.fails(
        'wait --for=condition=Available deploy/web --timeout=1s',
        'error: timed out waiting for the condition on deployments/web\n',
      );
    },
  },
  {
    name: 'rollout status follows a deployment until it is rolled out',
    run: async (k) => {
      await k.create(DEPLOYMENTS, deployment());
      const watch = k.start('rollout status deploy/web --timeout=20s');
      await watch.lines(1);
      const status = { observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
      await k.client.patch(
        DEPLOYMENTS,
        'web',
        { type: 'merge', value: { status } },
        { namespace: k.namespace, subresource: 'status' },
      );
      expect(await watch.ended()).toEqual({
        code: 0,
        stdout: 'Waiting for deployment spec update to be observed...\ndeployment "web" successfully rolled out\n',
        stderr: '',
      });
    },
  },
];
