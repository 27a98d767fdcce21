/*
 * npm passes SIGTERM on to the shell that it runs scripts and commands in. Where that shell waits instead of becoming the
 * command (dash, ash), it ends alone, npm ends with it, and the command is left behind without a parent. So a command that
 * npm has started ends when npm or that shell has ended, in whatever way, SIGKILL included.
 * Plain JavaScript without dependencies: the bootstrap of a checkout uses it before anything is compiled.
 */
import { readFileSync } from 'node:fs';

const LOOK_MS = 300;
/** For an orderly end; then the process is signalled once more, which ends it. */
const GRACE_MS = 10_000;

/** Parent and command line of a process; undefined when it has ended, or where the system does not show. */
function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before it may have spaces and brackets.
    const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return undefined;
    return { ppid: Number(ppid), argv: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') };
  } catch {
    return undefined;
  }
}

/** A command that the shell is to leave behind by intent, as in `capstan apiserver &`. */
const BACKGROUND = /(?:^|[^&<>])&(?![&>])/;

/**
 * The processes from this one up to the npm that has started it: parents by child. Undefined where no npm is directly
 * above, nor above a shell that runs its script in the foreground.
 */
export function npmAbove(env, pid, processOf = readProcess) {
  const tool = env.npm_execpath;
  if (env.npm_lifecycle_event === undefined || tool === undefined) return undefined;
  const isNpm = (found) => found !== undefined && (found.argv[0].startsWith('npm ') || found.argv.includes(tool));
  const { ppid } = processOf(pid) ?? {};
  const parent = processOf(ppid);
  if (isNpm(parent)) return [[pid, ppid]];
  if (parent?.argv[1] !== '-c' || !isNpm(processOf(parent.ppid))) return undefined;
  const script = parent.argv.slice(2).join(' ');
  return BACKGROUND.test(script)
    ? undefined
    : [
        [pid, ppid],
        [ppid, parent.ppid],
      ];
}

let isWatching = false;

/** Signals this process when the npm that has started it ends. Keeps no process alive; called twice it watches once. */
export function endWithNpm() {
  const chain = isWatching ? undefined : npmAbove(process.env, process.pid);
  if (chain === undefined) return;
  isWatching = true;
  const end = () => process.kill(process.pid, 'SIGTERM');
  const looking = setInterval(() => {
    if (chain.every(([child, parent]) => readProcess(child)?.ppid === parent)) return;
    clearInterval(looking);
    end();
    setTimeout(end, GRACE_MS).unref();
  }, LOOK_MS);
  looking.unref();
}
