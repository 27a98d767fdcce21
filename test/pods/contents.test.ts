import { PassThrough } from 'node:stream';
import { MemoryLink } from '@capstan/cluster';
import type { ContainerContext, ExecCall, Kubelet, LogQuery, RunningProgram } from '@capstan/cluster';
import type { KubeObject } from '@capstan/meta';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startPods, type StartedPods } from './backend.js';

let on: StartedPods['on'];
let stop: StartedPods['stop'];
let kubelet: Kubelet;

beforeEach(async () => {
  ({ on, stop } = await startPods({ link: new MemoryLink() }));
  [kubelet] = on.kubelets as [Kubelet];
});

afterEach(() => stop());

function running(): RunningProgram & { finish(code: number): void } {
  let finish: (code: number) => void = () => undefined;
  const exited = new Promise<number>((resolve) => {
    finish = resolve;
  });
  return { exited, stop: () => finish(0), kill: () => finish(137), finish: (code) => finish(code) };
}

async function create(plural: string, object: object): Promise<void> {
  await on.client.create({ group: '', version: 'v1', plural, namespaced: true }, object as KubeObject);
}

const metadata = (name: string): object => ({ name, namespace: on.namespace });

/** Runs a pod and gives what its program was given. */
async function contextOf(spec: object, more: object = {}): Promise<ContainerContext> {
  const seen: ContainerContext[] = [];
  on.programs.register('probe', (context) => {
    seen.push(context);
    return running();
  });
  await on.createPod('p', spec, more);
  await expect.poll(() => seen.length).toBe(1);
  return seen[0] as ContainerContext;
}

describe('the contents of a container', () => {
  it('its environment, from objects and the pod itself', async () => {
    const data = { a: 'A', b: 'B' };
    await create('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata('map'), data });
    await create('secrets', { apiVersion: 'v1', kind: 'Secret', metadata: metadata('key'), stringData: { s: 'hush' } });
    const { args, command, env, pod } = await contextOf({
      serviceAccountName: 'robot',
      containers: [
        {
          name: 'main',
          image: 'probe:1',
          command: ['run', '$(PLAIN)'],
          args: ['$(NONE)', '$$(PLAIN)'],
          envFrom: [{ prefix: 'MAP_', configMapRef: { name: 'map' } }, { secretRef: { name: 'none', optional: true } }],
          env: [
            { name: 'PLAIN', value: 'x' },
            { name: 'BOTH', value: '$(PLAIN)-$(MAP_a)' },
            { name: 'KEY', valueFrom: { secretKeyRef: { name: 'key', key: 's' } } },
            { name: 'GONE', valueFrom: { configMapKeyRef: { name: 'map', key: 'z', optional: true } } },
            { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
            { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
          ],
        },
      ],
    });
    expect(env).toMatchObject({
      HOSTNAME: 'p',
      KUBERNETES_SERVICE_PORT: '443',
      MAP_a: 'A',
      MAP_b: 'B',
      PLAIN: 'x',
      BOTH: 'x-A',
      KEY: 'hush',
      NAME: 'p',
      IP: pod.ip,
      CPU: '256',
    });
    expect(Object.hasOwn(env, 'GONE')).toBe(false);
    expect([command, args, pod.serviceAccountName]).toEqual([['run', 'x'], ['$(NONE)', '$(PLAIN)'], 'robot']);
  });

  it('its volumes: secrets, the pod, a token of its account, and room to share', async () => {
    await create('serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata('robot') });
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: metadata('key'), data: { s: 'aHVzaA==' } };
    await create('secrets', secret);
    const sources = [
      { serviceAccountToken: { path: 'token', expirationSeconds: 600 } },
      { secret: { name: 'key', items: [{ key: 's', path: 'deep/s' }] } },
      { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
    ];
    const volumeMounts = [
      { name: 'all', mountPath: '/all' },
      { name: 'room', mountPath: '/room' },
    ];
    const { mounts } = await contextOf(
      {
        serviceAccountName: 'robot',
        volumes: [
          { name: 'all', projected: { sources } },
          { name: 'room', emptyDir: {} },
        ],
        initContainers: [{ name: 'sidecar', image: 'any', restartPolicy: 'Always', volumeMounts }],
        containers: [{ name: 'main', image: 'probe', volumeMounts }],
      },
      { labels: { app: 'x' } },
    );
    const read = async (path: string): Promise<string> => Buffer.from(await mounts.read(path)).toString();
    expect(mounts.list('/all')).toEqual(['deep', 'labels', 'token']);
    expect([await read('/all/deep/s'), await read('/all/labels')]).toEqual(['hush', 'app="x"']);
    const token = await read('/all/token');
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      unknown
    >;
    expect(claims['sub']).toBe(`system:serviceaccount:${on.namespace}:robot`);
    expect(await read('/all/token')).toBe(token);
    expect(() => mounts.write('/all/x', '')).toThrow('read-only file system');
    mounts.write('/room/note', 'for you');
    const { call, output } = collected(['cat', '/room/note']);
    expect(await kubelet.exec({ namespace: on.namespace, pod: 'p', container: 'sidecar' }, call)).toBe(0);
    expect(output()).toBe('for you');
  });

  it('no start while a volume is missing', async () => {
    const volumes = [{ name: 'v', secret: { secretName: 'late' } }];
    const volumeMounts = [{ name: 'v', mountPath: '/v' }];
    await on.createPod('p', { volumes, containers: [{ name: 'main', image: 'any', volumeMounts }] });
    await expect
      .poll(() => on.events('p'))
      .toContain('FailedMount: MountVolume.SetUp failed for volume "v" : secret "late" not found');
    expect((await on.container('p')).state['waiting']?.['reason']).toBe('ContainerCreating');
    await create('secrets', { apiVersion: 'v1', kind: 'Secret', metadata: metadata('late') });
    await expect.poll(() => on.isReady('p')).toBe(true);
  });
});

function collected(command: readonly string[]): { call: ExecCall; output: () => string } {
  let text = '';
  const stdout = new PassThrough().on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const { signal } = new AbortController();
  const call = { command, stdout, tty: true, onResize: () => undefined, signal };
  return { call, output: () => text };
}

describe('the streams of a container', () => {
  const target = () => ({ namespace: on.namespace, pod: 'p', container: '' });
  const all: LogQuery = { follow: false, previous: false, timestamps: false, stream: 'All' };

  async function logs(query: Partial<LogQuery> = {}): Promise<string> {
    let text = '';
    const { signal } = new AbortController();
    for await (const chunk of await kubelet.logs(target(), { ...all, ...query }, signal))
      text += Buffer.from(chunk).toString();
    return text;
  }

  it('read its log, also of the run before', async () => {
    let run = 0;
    on.programs.register('talker', ({ stdout }) => {
      stdout.write(`run ${(run += 1)}\n`);
      const program = running();
      if (run === 1) program.finish(1);
      return program;
    });
    await on.createPod('p', { containers: [{ name: 'main', image: 'talker' }] });
    await expect
      .poll(() =>
        on.container('p').then(
          ({ restartCount }) => restartCount,
          () => 0,
        ),
      )
      .toBe(1);
    expect([await logs(), await logs({ previous: true })]).toEqual(['run 2\n', 'run 1\n']);
  });

  it('attach to it', async () => {
    on.programs.register('parrot', ({ stdin, stdout }) => {
      const program = running();
      stdin.on('data', (chunk: Buffer) => {
        stdout.write(chunk);
        if (chunk.toString() === 'bye') program.finish(5);
      });
      return program;
    });
    await on.createPod('p', { containers: [{ name: 'main', image: 'parrot', stdin: true }] });
    await expect.poll(() => on.podIfThere('p').then((pod) => pod?.status.phase)).toBe('Running');
    const { call, output } = collected([]);
    const stdin = new PassThrough();
    const attached = kubelet.attach(target(), { ...call, stdin });
    stdin.write('hello');
    await expect.poll(output).toBe('hello');
    stdin.write('bye');
    expect(await attached).toBe(5);
  });

  it('report why they cannot start', async () => {
    const { call } = collected(['true']);
    await expect(kubelet.exec(target(), call)).rejects.toMatchObject({ status: 404, message: 'pod does not exist' });
    on.runtime.faults.add({ kind: 'slow-start', delayMs: 1e6 });
    await on.createPod('p', { containers: [{ name: 'main', image: 'any' }] });
    await expect
      .poll(() =>
        on.container('p').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await expect(kubelet.exec(target(), call)).rejects.toMatchObject({
      status: 404,
      message: 'container not found ("main")',
    });
    await expect(logs()).rejects.toMatchObject({
      status: 400,
      message: 'container "main" in pod "p" is waiting to start: ContainerCreating',
    });
    await expect(logs({ previous: true })).rejects.toThrow('previous terminated container "main" in pod "p" not found');
    await expect(kubelet.exec({ ...target(), container: 'x' }, call)).rejects.toThrow(
      'container "x" not found in pod "p"',
    );
  });
});
