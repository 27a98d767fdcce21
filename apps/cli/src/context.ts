import type { HostingPlatform } from '@capstan/provider';
import type { Io } from './io.js';

/** Runs one `capstan` command line and returns its exit code. */
export type RunCommand = (argv: readonly string[], io: Io) => Promise<number>;

/** What all commands share during a run. */
export interface Context {
  readonly io: Io;
  /** Exit code of the process. */
  exitCode: number;
  /** Platforms to declare `create` for; left out for other commands, since they take long to load. */
  readonly platforms?: Iterable<HostingPlatform> | undefined;
  /** This very program, for pods that run its image: passed on, so that no command imports the command tree. */
  readonly command: RunCommand;
}
