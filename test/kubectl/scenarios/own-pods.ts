import { expect } from 'vitest';
import { pod, PODS } from '../objects.js';
import type { Scenario } from '../scenario.js';
import type { Session } from '../session.js';
import type { WatchProcess } from '../watch-process.js';
import { eventuallySees } from '../../src/wait.js';

const ACCOUNTS = { group: '', version: 'v1', plural: 'serviceaccounts', namespaced: true };

/** Pods are refused before there is an account for them. */
export async function accountMade(k: Session): Promise<void> {
  const find = async (): Promise<boolean> =>
    (await k.client.list(ACCOUNTS, { namespace: k.namespace })).items.some(
      ({ metadata }) => metadata.name === 'default',
    );
  await eventuallySees('the account is made', find, (isThere) => isThere);
}

/** Runs a pod of these containers, by their images, and waits until it is ready. */
async function running(k: Session, containers: Readonly<Record<string, string>>, labels = {}): Promise<void> {
  await accountMade(k);
  const spec = Object.entries(containers).map(([name, image]) => ({ name, image, stdin: true }));
  await k.create(PODS, pod('p', { containers: spec, terminationGracePeriodSeconds: 1 }, { labels }));
  await k.output('wait --for=condition=Ready pod/p --timeout=20s');
}

async function logs(k: Session): Promise<void> {
  await running(k, { main: 'web', side: 'parrot' }, { app: 'logged' });
  await k.prints('logs p -c main', 'listening on 8080\n');
  await k.prints('logs p -c main --timestamps', '<time> listening on 8080\n');
  await k.prints('logs p -c side', '');
  const path = `/api/v1/namespaces/${k.namespace}/pods/p:8080/proxy`;
  for (const page of ['a', 'b']) await k.output(`get --raw ${path}/${page}`);
  await k.prints('logs p -c main --tail=1', 'GET /b\n');
  await k.prints('logs -l app=logged -c main --tail=2', 'GET /a\nGET /b\n');
  await k.prints('logs p --all-containers --prefix --tail=1', '[pod/p/main] GET /b\n');
}

async function followed(k: Session): Promise<void> {
  await running(k, { main: 'web' });
  const following = k.start('logs -f p --tail=1');
  expect(await following.lines(1)).toEqual(['listening on 8080']);
  await k.output(`get --raw /api/v1/namespaces/${k.namespace}/pods/p:8080/proxy/followed`);
  expect(await following.lines(2)).toEqual(['listening on 8080', 'GET /followed']);
  await k.output('delete pod p --wait=false');
  expect(await following.ended()).toMatchObject({ code: 0, stdout: 'listening on 8080\nGET /followed\n' });
}

async function crashed(k: Session): Promise<void> {
  await accountMade(k);
  await k.prints('run p --image=crash', 'pod/p created\n');
  const waiting = '{.status.containerStatuses[0].state.waiting.reason}';
  await k.output(`wait --for=jsonpath=${waiting}=CrashLoopBackOff pod/p --timeout=20s`);
  await k.prints('logs p --previous', 'p is about to crash\n');
  const last = '{.status.containerStatuses[0].lastState.terminated.exitCode}';
  expect(await k.output(['get', 'pod', 'p', '-o', `jsonpath=${last}`])).toBe('2');
}

async function commands(k: Session): Promise<void> {
  await running(k, { main: 'nginx', side: 'folder' });
  await k.prints('exec p -c main -- echo hello', 'hello\n');
  await k.prints('exec p -c main -- hostname', 'p\n');
  expect(await k.run(['exec', 'p', '-c', 'main', '--', 'sh', '-c', 'echo out; exit 9'])).toEqual({
    code: 9,
    stdout: 'out\n',
    stderr: 'command terminated with exit code 9\n',
  });
  expect(await k.run('exec p -c main -- nonsense')).toEqual({
    code: 127,
    stdout: '',
    stderr: 'sh: nonsense: not found\ncommand terminated with exit code 127\n',
  });
  await k.prints('exec -i p -c side -- wc -c', '100000\n', { stdin: 'x'.repeat(100_000) });
}

async function copied(k: Session): Promise<void> {
  await running(k, { main: 'folder' });
  // Some clients remark on the slash they take off.
  expect(await k.run('cp p:/tmp/given taken')).toMatchObject({ code: 0 });
  k.file('sent', 'from here\n');
  await k.output('cp sent p:/tmp/sent');
  await k.prints('exec p -- cat /tmp/sent', 'from here\n');
  await k.output('cp taken p:/tmp/again');
  await k.prints('exec p -- cat /tmp/again', 'was here before\n');
}

async function attached(k: Session): Promise<void> {
  await running(k, { main: 'parrot' });
  const attached = await k.run('attach -i -q p', { stdin: 'hello\nbye\n' });
  expect(attached.stdout).toBe('you wrote hello\n');
  const exitCode = '{.status.containerStatuses[0].lastState.terminated.exitCode}';
  await k.output(`wait --for=jsonpath=${exitCode}=3 pod/p --timeout=20s`);
}

async function ranAndRemoved(k: Session): Promise<void> {
  await accountMade(k);
  const { stdout } = await k.run('run p --rm -i -q --restart=Never --image=parrot', { stdin: 'hello\nbye\n' });
  expect(stdout).toContain('you wrote hello\n');
  await k.fails('get pod p', 'Error from server (NotFound): pods "p" not found\n');
}

/** The local port of a port-forward that listens. */
async function forwardedPort(forward: WatchProcess): Promise<string> {
  const [line = ''] = await forward.lines(1);
  expect(line).toMatch(/^Forwarding from 127\.0\.0\.1:\d+ -> \d+$/);
  return /:(\d+) ->/.exec(line)?.[1] ?? '';
}

async function forwarded(k: Session): Promise<void> {
  await running(k, { main: 'web' }, { app: 'web' });
  await k.prints('expose pod p --name=web --port=80 --target-port=8080', 'service/web exposed\n');
  for (const target of ['pod/p :8080', 'service/web :80']) {
    const forward = k.start(`port-forward ${target}`);
    const port = await forwardedPort(forward);
    const page = await fetch(`http://127.0.0.1:${port}/a?b=c`, { headers: { connection: 'close' } });
    expect(await page.text()).toBe('p answers GET /a?b=c\n');
    await forward.stop();
  }
  await k.prints(`get --raw /api/v1/namespaces/${k.namespace}/pods/p:8080/proxy/x`, 'p answers GET /x\n');
  await eventuallySees(
    'the pod answers behind its service',
    () => k.run(`get --raw /api/v1/namespaces/${k.namespace}/services/web:80/proxy/y`),
    ({ stdout }) => stdout === 'p answers GET /y\n',
  );
}

async function debugged(k: Session): Promise<void> {
  await running(k, { main: 'web' });
  const { code, stderr } = await k.run('debug -i p -c helper --image=busybox');
  expect(code).toBe(1);
  expect(stderr).toContain('ephemeral containers are not run by this node');
  await k.prints('logs p -c main', 'listening on 8080\n');
}

/** What reaches into pods that our own nodes run. */
export const ownPodScenarios: readonly Scenario[] = [
  { name: 'logs of our nodes, and parts of them', smoke: true, run: logs },
  { name: 'logs -f goes on until the pod is over', run: followed },
  { name: 'logs --previous shows why a container crashed', run: crashed },
  { name: 'exec runs commands on our nodes, with their exit codes', smoke: true, run: commands },
  { name: 'cp copies a file there and back', run: copied },
  { name: 'attach speaks with the program', run: attached },
  { name: 'debug is refused, because there are no ephemeral containers', run: debugged },
  { name: 'run --rm -i leaves nothing behind', run: ranAndRemoved },
  { name: 'port-forward and proxies reach the program', smoke: true, run: forwarded },
];
