import { connect } from 'node:net';
import { once } from 'node:events';
import { PassThrough, type Duplex, type Writable } from 'node:stream';
import { ContainerUnreachable } from '../kubelet/streams.js';
import type { ContainerTarget, ExecCall, LogQuery, NodeStreams, TerminalSize } from '../kubelet/streams.js';

type Command = (call: ExecCall, words: readonly string[]) => number | Promise<number>;

const FLOOD_PIECE_BYTES = 64 * 1024;

/** Waits where the reader is slow. */
async function write(stream: Writable | undefined, bytes: string | Buffer): Promise<void> {
  if (stream === undefined || stream.destroyed) return;
  if (stream.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.removeListener('drain', done);
      stream.removeListener('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
  });
}

/** What a scripted container can run. */
const COMMANDS: Readonly<Record<string, Command>> = {
  async echo({ stdout }, words) {
    await write(stdout, `${words.join(' ')}\n`);
    return 0;
  },
  async cat({ stdin, stdout }) {
    for await (const piece of stdin ?? []) await write(stdout, piece as Buffer);
    return 0;
  },
  async complain({ stderr }, words) {
    await write(stderr, `${words.join(' ')}\n`);
    return 1;
  },
  exit: (_call, [code]) => Number(code),
  /** So many bytes of output. */
  async flood({ stdout }, [bytes]) {
    const piece = Buffer.alloc(FLOOD_PIECE_BYTES, 'x');
    for (let left = Number(bytes); left > 0; left -= piece.length) await write(stdout, piece.subarray(0, left));
    return 0;
  },
  /** How much input there was. */
  async count({ stdin, stdout }) {
    let size = 0;
    for await (const piece of stdin ?? []) size += (piece as Buffer).length;
    await write(stdout, `${size}\n`);
    return 0;
  },
  /** The terminal's sizes, until one is as wide as given. */
  async size(call, [lastWidth]) {
    const { stdout, tty } = call;
    await write(stdout, `tty ${tty}\n`);
    await new Promise<void>((resolve) => {
      call.onResize(({ width, height }: TerminalSize) => {
        stdout?.write(`${width}x${height}\n`);
        if (width === Number(lastWidth)) resolve();
      });
    });
    return 0;
  },
  /** Until the client leaves. */
  async wait({ signal, stdout }) {
    await write(stdout, 'waiting\n');
    if (!signal.aborted) await once(signal, 'abort');
    return 0;
  },
};

function keyOf({ namespace, pod }: ContainerTarget): string {
  return `${namespace}/${pod}`;
}

/** Scripted containers, for tests of connections to them. */
export class ScriptedNode implements NodeStreams {
  /** The lines of every container's log. */
  lines: readonly string[] = ['one', 'two', 'three'];
  readonly #ports: ReadonlyMap<number, number>;
  readonly #followers = new Map<PassThrough, string>();
  readonly #left: { readonly pod: string; readonly command: string }[] = [];

  /** `ports` leads from ports of pods to those of this machine. */
  constructor(ports: ReadonlyMap<number, number> = new Map()) {
    this.#ports = ports;
  }

  /** How many follow a log of the pod, given as `namespace/name`. */
  followers(pod: string): number {
    return [...this.#followers.values()].filter((each) => each === pod).length;
  }

  /** The commands in the pod that are over because the client left. */
  left(pod: string): string[] {
    return this.#left.filter((each) => each.pod === pod).map(({ command }) => command);
  }

  /** Another line for those who follow. */
  say(pod: string, line: string): void {
    for (const [follower, each] of this.#followers) if (each === pod) follower.write(`${line}\n`);
  }

  /** The containers are over. */
  endLogs(pod: string): void {
    for (const [follower, each] of this.#followers) if (each === pod) follower.end();
  }

  async logs(target: ContainerTarget, query: LogQuery, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    if (target.container === 'missing') throw new ContainerUnreachable(404, 'container "missing" not found in pod');
    if (query.previous)
      throw new ContainerUnreachable(
        400,
        `previous terminated container "${target.container}" in pod "${target.pod}" not found`,
      );
    const stamp = query.timestamps ? '2026-01-01T00:00:00.000000000Z ' : '';
    const lines = query.tailLines === undefined ? this.lines : this.lines.slice(this.lines.length - query.tailLines);
    const text = new PassThrough();
    const whole = Buffer.from(lines.map((line) => `${stamp}${line}\n`).join(''));
    text.write(whole.subarray(0, query.limitBytes ?? whole.length));
    if (query.follow) {
      this.#followers.set(text, keyOf(target));
      text.on('close', () => this.#followers.delete(text));
      signal.addEventListener('abort', () => text.end(), { once: true });
    } else {
      text.end();
    }
    return text;
  }

  exec(target: ContainerTarget, call: ExecCall): Promise<number> {
    return this.#run(target, call, call.command);
  }

  attach(target: ContainerTarget, call: ExecCall): Promise<number> {
    return this.#run(target, call, ['cat']);
  }

  async dial(_namespace: string, pod: string, port: number): Promise<Duplex> {
    const real = this.#ports.get(port);
    if (real === undefined) throw new ContainerUnreachable(500, `nothing listens on port ${port} of ${pod}`);
    const socket = connect(real, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }

  async #run(target: ContainerTarget, call: ExecCall, [name = '', ...words]: readonly string[]): Promise<number> {
    if (target.container === 'missing') throw new ContainerUnreachable(404, 'container not found ("missing")');
    const command = COMMANDS[name];
    if (command === undefined) {
      await write(call.stderr ?? call.stdout, `${name}: not found\n`);
      return 127;
    }
    try {
      return await command(call, words);
    } finally {
      if (call.signal.aborted) this.#left.push({ pod: keyOf(target), command: name });
    }
  }
}
