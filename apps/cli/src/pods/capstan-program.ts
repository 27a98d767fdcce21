import type { ContainerContext, ProgramExit, RunningProgram } from '@capstan/cluster';
import { errorText } from '@capstan/kube';
import type { RunCommand } from '../context.js';
import { CliError } from '../errors.js';
import type { Io, Machine } from '../io.js';

/** Commands that keep to the files and the network of their pod; any other would act on the machine beneath. */
const COMMANDS: ReadonlySet<string> = new Set([
  'capi-operator',
  'conversion-shim',
  'crd-compatibility',
  'machine-api',
  'operator',
  'proxy',
]);
const KILLED = 137;

/** `capstan` in a container of the embedded cluster: the same commands, on the pod's network with the pod's files. */
export async function capstanProgram(container: ContainerContext, command: RunCommand): Promise<RunningProgram> {
  const io = new ContainerIo(container);
  const argv = [...container.command.slice(1), ...container.args];
  const killed = new Promise<ProgramExit>((resolve) => {
    io.killed.addEventListener('abort', () => resolve(KILLED), { once: true });
  });
  const exited = Promise.race([killed, run(argv, io, command)]);
  // Containers started later may use it: these commands print a line once they serve.
  await Promise.race([io.spoken, exited]);
  return { exited, stop: () => io.stop(), kill: () => io.kill() };
}

async function run(argv: readonly string[], io: ContainerIo, command: RunCommand): Promise<ProgramExit> {
  const [name = ''] = argv;
  if (COMMANDS.has(name)) return command(argv, io);
  const message = `capstan ${name} does not run in a pod of this cluster`;
  io.err(`error: ${message}\n`);
  return { exitCode: 1, message };
}

/** A container as a command sees it. */
class ContainerIo implements Io {
  readonly env: Io['env'];
  readonly isTty = false;
  readonly columns = 80;
  readonly machine: Machine;
  /** Resolves with the first word on standard output. */
  readonly spoken: Promise<void>;
  readonly #container: ContainerContext;
  readonly #stops = new Set<() => void>();
  readonly #killing = new AbortController();
  #resolveSpoken: () => void = () => undefined;

  constructor(container: ContainerContext) {
    this.#container = container;
    this.env = { HOME: '/root', ...container.env };
    this.machine = machineOf(container, this.#killing.signal);
    this.spoken = new Promise((resolve) => {
      this.#resolveSpoken = resolve;
    });
  }

  get killed(): AbortSignal {
    return this.#killing.signal;
  }

  out(text: string): void {
    this.#write(this.#container.stdout, text);
    this.#resolveSpoken();
  }

  err(text: string): void {
    this.#write(this.#container.stderr, text);
  }

  input(): Promise<string> {
    return Promise.resolve('');
  }

  onStop(callback: () => void): () => void {
    this.#stops.add(callback);
    return () => void this.#stops.delete(callback);
  }

  onExit(): () => void {
    return () => undefined;
  }

  exit(): void {
    this.kill();
  }

  stop(): void {
    for (const callback of this.#stops) callback();
  }

  /** Nothing is finished: what it listened on and what it had open is gone at once. */
  kill(): void {
    // What is stopped a second time asks for its end, which is this.
    if (this.#killing.signal.aborted) return;
    this.#killing.abort();
    this.stop();
  }

  #write(stream: ContainerContext['stdout'], text: string): void {
    if (!stream.destroyed && !stream.writableEnded) stream.write(text);
  }
}

function machineOf({ clock, mounts, network }: ContainerContext, killed: AbortSignal): Machine {
  const open = new Set<{ destroy(): unknown }>();
  killed.addEventListener('abort', () => {
    for (const connection of open) connection.destroy();
  });
  return {
    clock,
    files: {
      read: async (path) => {
        try {
          return Buffer.from(await mounts.read(path)).toString('utf8');
        } catch (error) {
          throw Object.assign(new CliError(errorText(error), 'check the volumes of the pod'), { code: 'ENOENT' });
        }
      },
      write: (path, text) => mounts.write(path, text),
    },
    attach: async (port, server) => {
      const listener = await network.serve(port, server);
      killed.addEventListener('abort', () => void listener.close(), { once: true });
      return listener;
    },
    dial: async (host, port) => {
      const connection = await network.dial(host, port);
      open.add(connection);
      connection.once('close', () => open.delete(connection));
      if (killed.aborted) connection.destroy();
      return connection;
    },
  };
}
