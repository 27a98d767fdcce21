import type { HostingPlatform } from '@capstan/provider';
import { clientVersion } from './client-version.js';
import { explain, printable } from './errors.js';
import { endSoon, serveLong } from './heap.js';
import { processIo } from './io.js';
import type { Context } from './context.js';
import type { Io } from './io.js';

/** Commands whose own commands and options are those of the platforms. */
const ABOUT_PLATFORMS: ReadonlySet<string> = new Set(['completion', 'create', 'help']);

async function allPlatforms(): Promise<Iterable<HostingPlatform>> {
  const { hostingPlatforms } = await import('./platforms.js');
  return hostingPlatforms();
}

/** Runs one `capstan` command line and returns its exit code: 0 done, 1 failed, 2 not understood. */
export async function main(argv: readonly string[], io: Io = guardedProcess()): Promise<number> {
  const [first = '--help'] = argv;
  // Answered without loading the command tree: scripts ask often.
  if (argv.length === 1 && (first === '--version' || first === '-V')) {
    io.out(`${clientVersion()}\n`);
    return 0;
  }
  const { CommanderError } = await import('commander');
  const { createProgram } = await import('./program.js');
  const { helpLine, renamedHint } = await import('./command.js');
  const context: Context = {
    io,
    exitCode: 0,
    command: main,
    platforms: ABOUT_PLATFORMS.has(first) ? await allPlatforms() : undefined,
  };
  const hint = renamedHint(argv);
  if (hint !== undefined) {
    io.err(`error: unknown command '${first}'\n${hint}\n`);
    return 2;
  }
  try {
    const program = createProgram(context);
    await program.parseAsync([...helpLine(program, [first, ...argv.slice(1)])], { from: 'user' });
    return context.exitCode;
  } catch (error) {
    // Commander has printed its own message by now; help and version asked for are no failures.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return report(error, io);
  }
}

/** The process, which reports what went wrong outside of any command in the same way as within. */
function guardedProcess(): Io {
  const takers = new Set<(error: unknown) => boolean>();
  const own = processIo();
  endSoon(own);
  const io: Io = {
    ...own,
    outliveReaders: () => {
      own.outliveReaders?.();
      serveLong(own);
    },
    onUncaught: (take) => {
      takers.add(take);
      return () => void takers.delete(take);
    },
  };
  process.on('uncaughtException', (error) => {
    if (![...takers].some((take) => take(error))) io.exit(report(error, io));
  });
  return io;
}

function report(error: unknown, io: Io): number {
  const { message, hint, exitCode } = explain(error);
  io.err(`error: ${printable(message)}\n${hint}\n`);
  if ((io.env['CAPSTAN_DEBUG'] ?? '') !== '' && error instanceof Error) io.err(`${error.stack ?? ''}\n`);
  return exitCode;
}
