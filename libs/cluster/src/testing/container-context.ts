import { PassThrough } from 'node:stream';
import { systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import { MountedFiles } from '../kubelet/files.js';
import { LogBuffer } from '../kubelet/log-buffer.js';
import type { ContainerContext } from '../kubelet/program.js';
import type { ExecCall } from '../kubelet/streams.js';

/** A container without a cluster around it, for tests of programs. */
export interface LoneContainer {
  readonly context: ContainerContext;
  readonly clock: ManualClock;
  readonly log: LogBuffer;
}

/** Makes a container that runs nowhere. */
export function loneContainer(given: Partial<ContainerContext> = {}): LoneContainer {
  const clock = new ManualClock();
  const log = new LogBuffer(clock);
  const refuse = (): Promise<never> => Promise.reject(new TypeError('this container has no network'));
  const context: ContainerContext = {
    pod: {
      namespace: 'default',
      name: 'p',
      uid: 'u',
      ip: '10.0.0.1',
      nodeName: 'node',
      serviceAccountName: 'default',
      labels: {},
      annotations: {},
    },
    name: 'main',
    image: 'any:1',
    command: [],
    args: [],
    env: {},
    mounts: new MountedFiles(
      [],
      () => ({ read: () => Promise.resolve(undefined), paths: () => [] }),
      () => () => undefined,
    ),
    network: { ip: '10.0.0.1', listen: refuse, serve: refuse, dial: refuse },
    stdin: new PassThrough(),
    stdout: log.writer('Stdout'),
    stderr: log.writer('Stderr'),
    clock,
    random: systemRandom(1),
    signal: new AbortController().signal,
    ...given,
  };
  return { context, clock, log };
}

/** A command whose output is collected. */
export function collectedCall(command: readonly string[]): {
  call: ExecCall;
  output: () => { out: string; err: string };
} {
  const text = { out: '', err: '' };
  const sink = (name: 'out' | 'err'): PassThrough =>
    new PassThrough().on('data', (chunk: Buffer) => {
      text[name] += chunk.toString();
    });
  const call: ExecCall = {
    command,
    stdout: sink('out'),
    stderr: sink('err'),
    tty: false,
    onResize: () => undefined,
    signal: new AbortController().signal,
  };
  return { call, output: () => text };
}
