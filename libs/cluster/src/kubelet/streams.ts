import type { Duplex, Readable, Writable } from 'node:stream';

/** Names one container of one pod. An empty container name means the pod's default one. */
export interface ContainerTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** A command to run in a container, with its streams. Absent streams were not asked for. */
export interface ExecCall {
  /** Empty for attach: the streams of the main process. */
  readonly command: readonly string[];
  readonly stdin?: Readable | undefined;
  readonly stdout?: Writable | undefined;
  /** Absent with a terminal: both go to stdout. */
  readonly stderr?: Writable | undefined;
  readonly tty: boolean;
  /** Calls back with each new size of the terminal, first with the present one when known. */
  onResize(listener: (size: TerminalSize) => void): void;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** Which part of a log is wanted; the query parameters of `pods/log`. */
export interface LogQuery {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines?: number | undefined;
  readonly limitBytes?: number | undefined;
  readonly sinceSeconds?: number | undefined;
  /** RFC 3339. */
  readonly sinceTime?: string | undefined;
  readonly stream: 'All' | 'Stdout' | 'Stderr';
}

/** Why a container cannot be reached; the kubelet answers with this status and text. */
export class ContainerUnreachable extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ContainerUnreachable';
    this.status = status;
  }
}

/** What a node lets others do with the containers that run on it. Throws {@link ContainerUnreachable}. */
export interface NodeStreams {
  /** Log text in order; ends when there is no more (or, following, when the container is over or the signal aborts). */
  logs(target: ContainerTarget, query: LogQuery, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Resolves with the exit code. */
  exec(target: ContainerTarget, call: ExecCall): Promise<number>;
  attach(target: ContainerTarget, call: ExecCall): Promise<number>;
  /** A connection to a port of the pod as its own programs see it. */
  dial(namespace: string, pod: string, port: number): Promise<Duplex>;
}
