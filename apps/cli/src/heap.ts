import type { Io } from './io.js';

/**
 * V8 reads these at each collection, so that they may change while it runs; few of its flags may.
 *
 * Starting leaves garbage and a young generation of 32 MB that an idle server never needs again, and V8 returns neither:
 * these flags make it collect soon, keep little, and leave that generation as small as it is. Serving needs memory to be
 * fast, but the old generation may not become several times its live size, as it does by default.
 */
const STARTING = ['--optimize-for-size', '--semi-space-growth-factor=1'];
const SERVING = ['--no-optimize-for-size', '--semi-space-growth-factor=2', '--heap-growing-percent=50'];

/** What is started goes on for a while: caches are filled, nodes register, first objects are made. */
const SETTLE_MS = 2_000;

/** Keeps the heap of this process small for good: for programs that wait more than they work. */
export function staySmall({ setV8Flag }: Pick<Io, 'setV8Flag'>): void {
  if (setV8Flag !== undefined) for (const flag of STARTING) setV8Flag(flag);
}

/**
 * What a request leaves behind dies young: the young generation may stay as small as it is, and it is collected in less
 * time than it takes to wake others for help.
 */
const PASSING = ['--semi-space-growth-factor=1', '--no-parallel-scavenge'];

/** Keeps the young generation of this process small: for programs that pass bytes on. To be called before they are loaded. */
export function passOn({ setV8Flag }: Pick<Io, 'setV8Flag'>): void {
  if (setV8Flag !== undefined) for (const flag of PASSING) setV8Flag(flag);
}

/** The parser of HTTP is WebAssembly: compiled once, or once more by the optimizing compiler in the background. */
const COMPILED_ONCE = '--liftoff-only';
const COMPILED_WELL = '--no-liftoff-only';

/**
 * For commands that are soon over: Node ends no process before the optimizing compiler is done with the parser of HTTP,
 * which takes longer than most commands. To be called before a request is sent.
 */
export function endSoon({ setV8Flag }: Pick<Io, 'setV8Flag'>): void {
  setV8Flag?.(COMPILED_ONCE);
}

/** For commands that serve until they are stopped, and want a quick parser. */
export function serveLong({ setV8Flag }: Pick<Io, 'setV8Flag'>): void {
  setV8Flag?.(COMPILED_WELL);
}

/** The heap of a process that starts a server. */
export interface StartingHeap {
  /** All is started: the heap gets room to serve, soon. */
  readonly started: () => void;
  /** Nothing is to happen any more. */
  readonly release: () => void;
}

/** Keeps the heap of this process small while it starts. A process that is not the command's own is left alone. */
export function startSmall({ setV8Flag }: Pick<Io, 'setV8Flag'>): StartingHeap {
  if (setV8Flag === undefined) return { started: () => {}, release: () => {} };
  const set = (flags: readonly string[]): void => flags.forEach((flag) => setV8Flag(flag));
  set(STARTING);
  let settling: NodeJS.Timeout | undefined;
  return {
    started: () => {
      settling = setTimeout(() => set(SERVING), SETTLE_MS).unref();
    },
    release: () => clearTimeout(settling),
  };
}
