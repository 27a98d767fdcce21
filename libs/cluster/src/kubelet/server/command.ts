import { finished, type Readable, type Writable } from 'node:stream';
import { promisify } from 'node:util';
import type { ContainerTarget, ExecCall, NodeStreams, TerminalSize } from '../streams.js';
import { ContainerUnreachable } from '../streams.js';

/** What the caller of exec or attach asked for. */
export interface CommandRequest {
  readonly action: 'exec' | 'attach';
  readonly target: ContainerTarget;
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The streams of one command, by whatever protocol they came. */
export interface CommandWire {
  readonly stdin: Readable | undefined;
  readonly stdout: Writable | undefined;
  readonly stderr: Writable | undefined;
  readonly sizes: TerminalSizes;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** Sends the exit status, and closes the connection. */
  finish(outcome: Outcome): Promise<void>;
}

/** How a command went, as a Status. */
export interface Outcome {
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes: readonly { readonly reason?: string; readonly message: string }[] };
  readonly code?: number;
}

const SUCCESS: Outcome = { metadata: {}, status: 'Success' };

/** Reads the query of `/exec` and `/attach`; a string is the error. */
export function readCommandRequest(
  action: 'exec' | 'attach',
  target: ContainerTarget,
  query: URLSearchParams,
): CommandRequest | string {
  const [stdin, stdout, tty] = ['input', 'output', 'tty'].map((name) => query.get(name) === '1');
  // A terminal has one output.
  const stderr = query.get('error') === '1' && tty !== true;
  if (stdin !== true && stdout !== true && !stderr) return 'you must specify at least 1 of stdin, stdout, stderr';
  const command = query.getAll('command');
  return { action, target, command, stdin: stdin === true, stdout: stdout === true, stderr, tty: tty === true };
}

/** The sizes of a terminal, from a stream of JSON. */
export class TerminalSizes {
  #text = '';
  #last: TerminalSize | undefined;
  #listener: ((size: TerminalSize) => void) | undefined;

  /** More of the stream. */
  push(piece: string): void {
    const documents = (this.#text + piece).split('}');
    this.#text = documents.pop() ?? '';
    for (const document of documents) this.#read(`${document}}`);
  }

  listen(listener: (size: TerminalSize) => void): void {
    this.#listener = listener;
    if (this.#last !== undefined) listener(this.#last);
  }

  #read(document: string): void {
    let value: unknown;
    try {
      value = JSON.parse(document);
    } catch {
      return;
    }
    const { Width: width, Height: height } = value as { Width?: unknown; Height?: unknown };
    if (typeof width !== 'number' || typeof height !== 'number') return;
    this.#last = { width, height };
    this.#listener?.(this.#last);
  }
}

/** Runs the command over the wire, and sends the client its exit status. */
export async function runCommand(streams: NodeStreams, request: CommandRequest, wire: CommandWire): Promise<void> {
  const { stdin, stdout, stderr, signal, sizes } = wire;
  const call: ExecCall = {
    command: request.command,
    stdin,
    stdout,
    stderr,
    tty: request.tty,
    onResize: (listener) => sizes.listen(listener),
    signal,
  };
  const outcome = await outcomeOf(streams, request, call);
  // What was written last must arrive before the news that it is over.
  await Promise.all([ended(stdout), ended(stderr)]);
  await wire.finish(outcome);
}

async function outcomeOf(streams: NodeStreams, request: CommandRequest, call: ExecCall): Promise<Outcome> {
  const { action, target, command } = request;
  try {
    const code = await streams[action](target, call);
    // Who only looked on has nothing to do with how it ended.
    return code === 0 || action === 'attach' ? SUCCESS : exited(command, code);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return internalError(
      error instanceof ContainerUnreachable ? text : `error executing command in container: ${text}`,
    );
  }
}

function exited(command: readonly string[], code: number): Outcome {
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: error executing command [${command.join(' ')}], exit code ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

function internalError(text: string): Outcome {
  return {
    metadata: {},
    status: 'Failure',
    message: `Internal error occurred: ${text}`,
    reason: 'InternalError',
    details: { causes: [{ message: text }] },
    code: 500,
  };
}

const finishedAsync = promisify(finished);

/** Ends a stream and waits until all of it is on its way, or cannot be any more. */
export async function ended(stream: Writable | undefined): Promise<void> {
  if (stream === undefined || stream.destroyed) return;
  const done = finishedAsync(stream, { readable: false });
  if (!stream.writableEnded) stream.end();
  try {
    await done;
  } catch {
    // The client disconnected; the exit status has no recipient.
  }
}

/** The status as the error stream carries it: older protocols know failures only, as text. */
export function outcomeText(outcome: Outcome, isStructured: boolean): string {
  if (isStructured) return JSON.stringify(outcome);
  return outcome.status === 'Success' ? '' : (outcome.message ?? '');
}
