import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { ContainerIsolation, MemoryLink, SocketLink } from '@capstan/cluster';
import type { ContainerContext, Program } from '@capstan/cluster';
import { systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import { PodCluster } from '../cluster/virtual-cluster.js';

/*
 * Runs pods whose components fail without anything that catches it, and prints how their containers are. Such errors are
 * those of a process, so it is one of its own.
 */

/** A component that begins with some code and never ends by itself. */
function component(begin: (container: ContainerContext) => unknown): Program {
  return async (container) => {
    await begin(container);
    return { exited: new Promise(() => undefined), stop: () => undefined, kill: () => undefined };
  };
}

function fail(how: string): never {
  throw new Error(`failed in ${how}`);
}

const COMPONENTS: Readonly<Record<string, Program>> = {
  timer: component(() => setTimeout(() => fail('a timer'), 10)),
  clock: component(({ clock: own }) => own.after(10, () => fail('a timer of its clock'))),
  rejection: component(() => {
    void (async () => fail(await Promise.resolve('a promise')))();
  }),
  event: component(() => {
    setImmediate(() => new EventEmitter().emit('error', new Error('failed in an event')));
  }),
  request: component(async ({ network }) => {
    await network.serve(
      8080,
      createServer(() => setTimeout(() => fail('a request'), 1)),
    );
  }),
  // While it handles what another has written.
  handler: component(async ({ network }) => {
    await network.serve(
      8080,
      createServer(() => fail('a handler')),
    );
  }),
  connection: component(async ({ network }) => {
    await network.listen(8080, () => fail('a connection'));
  }),
  healthy: component(() => undefined),
};

const isolation = new ContainerIsolation();
process.on('uncaughtException', (error) => {
  if (isolation.take(error)) return;
  process.stderr.write(`unattributed: ${error.message}\n`);
  process.exit(1);
});

const clock = systemClock();
const waitOptions = { clock, everyMs: 50, limitMs: 20_000 };
const cluster = new PodCluster({
  clock,
  isolation,
  link: process.argv[2] === 'memory' ? new MemoryLink() : new SocketLink(),
});
for (const [image, program] of Object.entries(COMPONENTS)) cluster.programs.register(image, program);
await cluster.start();

async function isRunning(name: string): Promise<boolean> {
  const [status] = (await cluster.pod(name)).status.containerStatuses ?? [];
  return status?.state['running'] !== undefined;
}

async function logOf(pod: string): Promise<string> {
  const target = { namespace: cluster.namespace, pod, container: 'main' };
  const chunks: Uint8Array[] = [];
  const [kubelet] = cluster.kubelets;
  const log = await kubelet?.logs(
    target,
    { follow: false, previous: true, timestamps: false, stream: 'All' },
    new AbortController().signal,
  );
  for await (const chunk of log ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

for (const name of Object.keys(COMPONENTS))
  await cluster.createPod(name, { containers: [{ name: 'main', image: name }] });
for (const name of ['request', 'handler', 'connection']) {
  await waitUntil(`the pod ${name} runs`, () => isRunning(name), waitOptions);
  const { podIP = '' } = (await cluster.pod(name)).status;
  const connection = await cluster.runtime.network.dialPod(podIP, 8080);
  connection.end('GET / HTTP/1.1\r\nHost: pod\r\n\r\n');
  connection.resume();
  await once(connection, 'close');
}

for (const name of Object.keys(COMPONENTS).filter((each) => each !== 'healthy')) {
  const restarted = async (): Promise<object | false> => {
    const { lastState, restartCount } = await cluster.container(name);
    const { exitCode, message, reason } = lastState['terminated'] ?? {};
    return restartCount > 0 && { exitCode, message, reason };
  };
  const ended = await waitUntil(`${name} has been restarted`, restarted, waitOptions);
  const [log] = (await logOf(name)).split('\n');
  process.stdout.write(`${JSON.stringify({ name, ...ended, log })}\n`);
}
process.stdout.write(`${JSON.stringify({ name: 'healthy', isRunning: await isRunning('healthy') })}\n`);
// Not of any container.
setTimeout(() => fail('the process itself'), 1);
