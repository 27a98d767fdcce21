import { fstatSync, writeSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { isatty } from 'node:tty';
import { setFlagsFromString } from 'node:v8';
import type { AttachServer, FileReader } from '@capstan/kube';
import type { Clock } from '@capstan/meta';
import { explained } from './files.js';

/** Where a command prints. */
export type Output = Pick<Io, 'err' | 'out'>;

/** The process as a command sees it, so that a test can replace it. */
export interface Io {
  /** Throws what the user can read where it is a file and the disk is full. */
  out(text: string): void;
  /** Errors of writing to it are ignored. */
  err(text: string): void;
  /** All of standard input. */
  input(): Promise<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A person is reading standard output. */
  readonly isTty: boolean;
  /** Standard error is a terminal, whatever standard output is. */
  readonly isErrTty?: boolean;
  /** Width to wrap help to. */
  readonly columns: number;
  /**
   * Calls back on a request to end (SIGINT, SIGTERM); the result stops listening. For the process itself that is the
   * first one: the system answers the next, so that it ends the process whatever that does.
   */
  onStop(callback: () => void): () => void;
  /** Calls back, once, when the process ends in whatever way; the result stops listening. */
  onExit(callback: () => void): () => void;
  /** The command serves others from now on: that nobody reads its output any more is no reason to end. */
  readonly outliveReaders?: () => void;
  /**
   * Lets a command answer for errors that nothing has caught, where it knows whose they are; those of which the callback
   * returns false end the process. The result stops that. Absent where the process is not the command's own.
   */
  readonly onUncaught?: (take: (error: unknown) => boolean) => () => void;
  /** Ends the process at once, whatever is under way. */
  exit(code: number): void;
  /** Tunes the engine of the process; absent where the process is not the command's own. */
  readonly setV8Flag?: (flag: string) => void;
  /** Where the command reads files, listens and dials; absent: on this machine. */
  readonly machine?: Machine;
}

/** A machine that is not this one, such as a pod of the embedded cluster. */
export interface Machine {
  readonly files: FileReader & { write(path: string, text: string): void };
  readonly attach: AttachServer;
  readonly dial: (host: string, port: number) => Promise<Duplex>;
  /** Ends with the machine. */
  readonly clock: Clock;
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** npm sends its child what the terminal has sent to both of them: for as long, a second signal is the same one again. */
const ECHO_MS = 250;

/**
 * Listens for the first signal only. Without a listener the next one is answered by the system, which ends the process
 * even while the event loop does not turn; so the listeners are removed before anything else happens.
 */
function stopListener(echoMs: number): Io['onStop'] {
  return (callback) => {
    let echo: NodeJS.Timeout | undefined;
    const release = (): void => {
      clearTimeout(echo);
      for (const signal of STOP_SIGNALS) process.removeListener(signal, onSignal);
    };
    const act = (): void => {
      release();
      callback();
    };
    const onSignal = (): void => {
      if (echoMs === 0) act();
      else echo ??= setTimeout(act, echoMs);
    };
    for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
    return release;
  };
}

/** What the process does when nobody reads its output any more, which without this would end it with a stack trace. */
function surviveReaders(): () => void {
  let isServing = false;
  // There is no reader left.
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isServing) return;
    // A reader that has seen enough (`| head`) is no error.
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  return () => {
    isServing = true;
  };
}

const STDOUT = 1;
const STDERR = 2;

/**
 * Writes to a standard stream. Node's own gives up a file for good at its first error, and with it the process; a file
 * that is full may have room again.
 */
function writerOf(stream: NodeJS.WriteStream, descriptor: number): (text: string) => void {
  if (!isFile(descriptor)) return (text) => void stream.write(text);
  return (text) => {
    const bytes = Buffer.from(text);
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
    } catch (error) {
      throw explained('cannot write to standard output', error, 'free some space, or write to another disk');
    }
  };
}

/** Terminals, pipes and sockets are left to Node. */
function isFile(descriptor: number): boolean {
  try {
    // In large numbers: after the others of a pipe Node 20 resolves no more links, and loads packages a second time.
    const stats = fstatSync(descriptor, { bigint: true });
    return stats.isFile() || (stats.isCharacterDevice() && !isatty(descriptor));
  } catch {
    return false;
  }
}

function quietly(write: (text: string) => void): (text: string) => void {
  return (text) => {
    try {
      write(text);
    } catch {
      // There is no reader left.
    }
  };
}

/** This process's own streams, environment and signals. */
export function processIo(): Io {
  return {
    outliveReaders: surviveReaders(),
    out: writerOf(process.stdout, STDOUT),
    err: quietly(writerOf(process.stderr, STDERR)),
    input: async () => {
      const { text } = await import('node:stream/consumers');
      return text(process.stdin);
    },
    env: process.env,
    isTty: process.stdout.isTTY === true,
    isErrTty: process.stderr.isTTY === true,
    columns: process.stdout.columns ?? 80,
    onStop: stopListener(process.env['npm_lifecycle_event'] === undefined ? 0 : ECHO_MS),
    onExit: (callback) => {
      process.once('exit', callback);
      return () => void process.removeListener('exit', callback);
    },
    // The young generation stays at the size it begins with: bytes that pass are given back sixteen times as soon.
    exit: (code) => process.exit(code),
    setV8Flag: setFlagsFromString,
  };
}
