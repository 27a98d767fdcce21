import type { Duplex } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import type { AttachServer, FileReader } from '@capstan/kube';
import type { Clock } from '@capstan/meta';

/** The world as a command sees it, so that a test can be one. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** All of standard input. */
  input(): Promise<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A person is reading standard output. */
  readonly isTty: boolean;
  /** A person is reading standard error, whoever reads standard output. */
  readonly isErrTty?: boolean;
  /** Width to wrap help to. */
  readonly columns: number;
  /** Calls back on each request to end (SIGINT, SIGTERM); the result stops listening. */
  onStop(callback: () => void): () => void;
  /** Calls back, once, when the process ends in whatever way; the result stops listening. */
  onExit(callback: () => void): () => void;
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

/** This process's own streams, environment and signals. */
export function processIo(): Io {
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    input: async () => {
      const { text } = await import('node:stream/consumers');
      return text(process.stdin);
    },
    env: process.env,
    isTty: process.stdout.isTTY === true,
    isErrTty: process.stderr.isTTY === true,
    columns: process.stdout.columns ?? 80,
    onStop: (callback) => {
      for (const signal of STOP_SIGNALS) process.on(signal, callback);
      return () => {
        for (const signal of STOP_SIGNALS) process.removeListener(signal, callback);
      };
    },
    onExit: (callback) => {
      process.once('exit', callback);
      return () => void process.removeListener('exit', callback);
    },
    // The young generation stays at the size it begins with: bytes that pass are given back sixteen times as soon.
    exit: (code) => process.exit(code),
    setV8Flag: setFlagsFromString,
  };
}
