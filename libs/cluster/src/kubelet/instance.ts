import { PassThrough, Writable } from 'node:stream';
import { errorText, timestamp } from '@capstan/kube';
import type { Logger } from '@capstan/kube';
import { ClusterError } from '../errors.js';
import { specOf } from '../workload/pod-spec.js';
import type { Container } from '../workload/pod-spec.js';
import type { ActionTarget } from './actions.js';
import { expand } from './env.js';
import { MountedFiles } from './files.js';
import type { ContainerHost } from './host.js';
import type { ErrorOwner } from './isolation.js';
import { LogBuffer } from './log-buffer.js';
import { mortalClock } from './mortal-clock.js';
import { mortalNetwork } from './mortal-network.js';
import type { Terminated } from './pod-status.js';
import type { ContainerContext, Program, ProgramExit, RunningProgram } from './program.js';
import { shellExec, sleeper } from './shell.js';
import type { ExecCall } from './streams.js';

/** How an instance ended. */
export interface InstanceExit {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string | undefined;
}

const KILLED: InstanceExit = { exitCode: 137, reason: 'Error' };
const START_FAILED = 128;
/** As a program ends that its language ends. */
const UNCAUGHT = 1;

/** One run of a container, from start to end. */
export class ContainerInstance implements ErrorOwner {
  readonly id: string;
  readonly startedAt: string;
  readonly log: LogBuffer;
  readonly stdin = new PassThrough();
  readonly exited: Promise<InstanceExit>;
  readonly #context: ContainerContext;
  readonly #logger: Logger;
  /** Runs code of the program, and whatever that starts, as its own. */
  readonly #inside: <T>(run: () => T) => T;
  readonly #ending = new AbortController();
  #program: RunningProgram | undefined;
  #finish: (exit: InstanceExit) => void = () => undefined;
  #stopAsked = false;
  #startFailure: string | undefined;
  #isOver = false;

  constructor(host: ContainerHost, spec: Container, env: Readonly<Record<string, string>>) {
    const { clock, isolation, random } = host;
    this.#logger = host.logger;
    this.#inside = (run) => (isolation === undefined ? run() : isolation.inside(this, run));
    this.id = `capstan://${Buffer.from(random.bytes(32)).toString('hex')}`;
    this.startedAt = timestamp(clock);
    this.log = new LogBuffer(clock);
    this.#context = contextOf(host, spec, env, this);
    this.exited = new Promise<InstanceExit>((resolve) => {
      this.#finish = (exit) => {
        this.#isOver = true;
        resolve(exit);
      };
    }).then((exit) => {
      this.#ending.abort();
      this.stdin.destroy();
      this.log.end();
      return exit;
    });
  }

  /** Aborted when the instance is over. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Why it could not be started; undefined where it was, or is still being started. */
  get startFailure(): string | undefined {
    return this.#startFailure;
  }

  /** Runs the program; resolves when it is at work. */
  async start(host: ContainerHost): Promise<void> {
    const { image, pod } = this.#context;
    const crash = host.faults.find('crash-loop', { node: pod.nodeName, pod: host.pod(), image });
    if (crash !== undefined) {
      this.#finish(exitOf(crash.exitCode ?? 1));
      return;
    }
    try {
      const program = host.programs.find(image) ?? this.#unknown(host);
      this.#program = await this.#inside(() => program(this.#context));
    } catch (error) {
      this.#startFailure = errorText(error);
      this.#finish({ exitCode: START_FAILED, reason: 'StartError', message: this.#startFailure });
      return;
    }
    this.#program.exited.then(
      (exit) => this.#finish(exitOf(exit)),
      (error: unknown) => this.#finish({ exitCode: 1, reason: 'Error', message: errorText(error) }),
    );
    // What was killed or has failed while it started is over, whatever it has started.
    if (this.#isOver) this.#kill();
    else if (this.#stopAsked) this.stop();
  }

  /** What an image nobody registered does; it cannot have a command that belongs to registered ones. */
  #unknown({ programs }: ContainerHost): Program {
    const [command] = this.#context.command;
    if (!programs.isReserved(command)) return sleeper;
    throw new ClusterError('NO_SUCH_COMMAND', `exec: "${command}": executable file not found in $PATH`);
  }

  stop(): void {
    this.#stopAsked = true;
    this.#inside(() => this.#program?.stop());
  }

  kill(): void {
    this.#kill();
    this.#finish(KILLED);
  }

  /** Ends it by an error that it has not caught; what code of an ended run throws changes nothing. */
  fail(error: unknown): void {
    const { name: container, pod } = this.#context;
    const { name, namespace } = pod;
    if (this.#isOver) {
      this.#logger.debug('code of an ended container failed', {
        namespace,
        pod: name,
        container,
        error: errorText(error),
      });
      return;
    }
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.log.append('Stderr', Buffer.from(`uncaught error: ${detail}\n`));
    this.#logger.warn('a container ended by an uncaught error', {
      namespace,
      pod: name,
      container,
      error: errorText(error),
    });
    this.#finish({ exitCode: UNCAUGHT, reason: 'Error', message: errorText(error) });
    this.#kill();
  }

  #kill(): void {
    try {
      this.#inside(() => this.#program?.kill());
    } catch (error) {
      this.#logger.warn('a container could not be ended', {
        container: this.#context.name,
        error: errorText(error),
      });
    }
  }

  exec(call: ExecCall): Promise<number> {
    const program = this.#program;
    return this.#inside(() =>
      program?.exec === undefined ? shellExec(this.#context, call, this) : program.exec(call),
    );
  }

  /** The termination in the status. */
  terminated({ exitCode, message, reason }: InstanceExit): Terminated {
    const { id: containerID, startedAt } = this;
    const finishedAt = timestamp(this.#context.clock);
    return { exitCode, reason, ...(message === undefined ? {} : { message }), startedAt, finishedAt, containerID };
  }

  /** What probes and hooks may do to it. */
  actionTarget(container: Container, host: ContainerHost): ActionTarget {
    return {
      container,
      podIp: host.network.ip,
      clock: host.clock,
      dial: (where, port) => host.network.dial(where, port),
      exec: (command, signal) => this.#collect(command, signal),
    };
  }

  async #collect(command: readonly string[], signal: AbortSignal): Promise<{ code: number; output: string }> {
    const chunks: Buffer[] = [];
    const out = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        chunks.push(chunk);
        done();
      },
    });
    const code = await this.exec({
      command,
      stdout: out,
      stderr: out,
      tty: false,
      onResize: () => undefined,
      signal,
    });
    return { code, output: Buffer.concat(chunks).toString('utf8') };
  }
}

function exitOf(exit: ProgramExit): InstanceExit {
  const { exitCode, message } = typeof exit === 'number' ? { exitCode: exit, message: undefined } : exit;
  return { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', message };
}

function contextOf(
  host: ContainerHost,
  spec: Container,
  env: Readonly<Record<string, string>>,
  instance: ContainerInstance,
): ContainerContext {
  const pod = host.pod();
  const { name = '', namespace = '', uid = '', labels = {}, annotations = {} } = pod.metadata;
  const expanded = (texts: readonly string[] = []): string[] => texts.map((text) => expand(text, env));
  const { dial, ip, listen, serve } = host.network;
  return {
    pod: {
      namespace,
      name,
      uid,
      ip,
      nodeName: host.nodeName,
      serviceAccountName: specOf(pod).serviceAccountName ?? 'default',
      labels,
      annotations,
    },
    name: spec.name,
    image: spec.image ?? '',
    command: expanded(spec.command),
    args: expanded(spec.args),
    env,
    mounts: new MountedFiles(
      spec.volumeMounts ?? [],
      (volume) => host.volumes.volume(volume),
      (listener) => host.feeds.watch(listener),
    ),
    network: mortalNetwork({ dial, ip, listen, serve }, instance.signal),
    stdin: instance.stdin,
    stdout: instance.log.writer('Stdout'),
    stderr: instance.log.writer('Stderr'),
    clock: mortalClock(host.clock, instance.signal),
    random: host.random.split(`${uid}/${spec.name}`),
    signal: instance.signal,
  };
}
