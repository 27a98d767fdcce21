import type { Readable, Writable } from 'node:stream';
import type { Clock, Random } from '@capstan/meta';
import type { ProgramNetwork } from '../pod-network/pod-network.js';
import type { ContainerFiles } from './files.js';
import type { ExecCall } from './streams.js';

/** Which pod a container belongs to. */
export interface PodIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly ip: string;
  readonly nodeName: string;
  readonly serviceAccountName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** All that a program in a container can reach. */
export interface ContainerContext {
  readonly pod: PodIdentity;
  /** Of the container. */
  readonly name: string;
  readonly image: string;
  /** With `$(NAME)` already replaced. */
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: ContainerFiles;
  readonly network: ProgramNetwork;
  /** What those who attach write; ends only with the container. */
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborted when the container is over, however that came. */
  readonly signal: AbortSignal;
}

/** How a program ended; the message goes to the status of the container. */
export type ProgramExit = number | { readonly exitCode: number; readonly message?: string | undefined };

/** A program at work. */
export interface RunningProgram {
  readonly exited: Promise<ProgramExit>;
  /** Asks it to end, as SIGTERM does. */
  stop(): void;
  /** Ends it. Whatever it does, it counts as over from here. */
  kill(): void;
  /** Runs a command in its container. Default: a shell that knows a few commands. */
  exec?(call: ExecCall): Promise<number>;
}

/** What an image does when it is run. A throw counts as a failure to start. */
export type Program = (container: ContainerContext) => RunningProgram | Promise<RunningProgram>;

/** `registry/name:tag@digest` without tag and digest. */
export function imageName(image: string): string {
  const [undigested = ''] = image.split('@');
  const colon = undigested.lastIndexOf(':');
  return colon > undigested.lastIndexOf('/') ? undigested.slice(0, colon) : undigested;
}

/** True of an image that a pattern means: exactly, without tag and digest, or by a beginning followed by `*`. */
export function matchesImage(pattern: string, image: string): boolean {
  if (pattern.endsWith('*')) return image.startsWith(pattern.slice(0, -1));
  return pattern === image || pattern === imageName(image);
}

/** The programs that images stand for. */
export class ProgramRegistry {
  readonly #named = new Map<string, Program>();
  readonly #prefixes = new Map<string, Program>();
  readonly #reserved = new Set<string>();

  /** Registers a program for an image: `name:tag`, `name` for any tag, or `prefix*`. Gives itself. */
  register(pattern: string, program: Program): this {
    if (pattern.endsWith('*')) this.#prefixes.set(pattern.slice(0, -1), program);
    else this.#named.set(pattern, program);
    return this;
  }

  /** Only registered images have this command: any other cannot start it, as on a real node. Returns the registry. */
  reserve(command: string): this {
    this.#reserved.add(command);
    return this;
  }

  /** Whether an image nobody registered is to start a command that it cannot have. */
  isReserved(command: string | undefined): boolean {
    return command !== undefined && this.#reserved.has(command);
  }

  /** The program of an image; the most exact pattern wins. */
  find(image: string): Program | undefined {
    const named = this.#named.get(image) ?? this.#named.get(imageName(image));
    if (named !== undefined) return named;
    let [longest, found]: [number, Program | undefined] = [-1, undefined];
    for (const [prefix, program] of this.#prefixes)
      if (prefix.length > longest && image.startsWith(prefix)) [longest, found] = [prefix.length, program];
    return found;
  }
}
