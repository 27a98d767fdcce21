/*
 * Runs the tools of a bootstrap: as process groups that end with this process, and with a line of progress.
 * Plain JavaScript without dependencies, as the bootstrap itself.
 */
import { spawn } from 'node:child_process';
import process from 'node:process';

/** On a terminal one line is rewritten; in a file each line stays, so that there are fewer. */
const REWRITE_MS = 500;
const LINE_MS = 10_000;
const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143 };

/** An end with a sentence for a person, not a stack. */
export class Stop extends Error {
  /** What the process ends with. */
  code = 1;

  constructor(message, code = 1) {
    super(message);
    this.code = code;
  }
}

/** Prints a line on standard error. */
export function say(line) {
  process.stderr.write(`capstan: ${line}\n`);
}

/** Shows how far something is until the result is called: `describe` gets the seconds since the begin. */
export function showProgress(describe) {
  const begin = Date.now();
  const isTerminal = process.stderr.isTTY === true;
  const line = () => `capstan: ${describe(Math.round((Date.now() - begin) / 1000))}`;
  const write = () => process.stderr.write(isTerminal ? `\r\u001B[2K${line()}` : `${line()}\n`);
  write();
  const ticking = setInterval(write, isTerminal ? REWRITE_MS : LINE_MS);
  return () => {
    clearInterval(ticking);
    if (isTerminal) process.stderr.write('\r\u001B[2K');
  };
}

/**
 * Runs a command; gives its exit code and output, which is also passed on when `show` is set. Where the system has
 * process groups the command gets its own, which ends when this process is signalled: a compiler may be the child of a
 * wrapper that does not pass signals on.
 */
export function run(root, command, args, { show = false, env = {} } = {}) {
  const hasGroups = process.platform !== 'win32';
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      // Output of tools must not mix with what the command behind us prints on stdout.
      stdio: show ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'],
      shell: !hasGroups && command === 'npm',
      detached: hasGroups,
    });
    let output = '';
    let ended;
    const end = (signal) => {
      ended = signal;
      if (hasGroups && typeof child.pid === 'number') process.kill(-child.pid, 'SIGKILL');
      else child.kill();
    };
    for (const signal of Object.keys(SIGNAL_CODES)) process.on(signal, end);
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      for (const signal of Object.keys(SIGNAL_CODES)) process.removeListener(signal, end);
      if (ended === undefined) resolve({ code, output });
      else reject(new Stop(`interrupted (${ended})`, SIGNAL_CODES[ended]));
    });
  });
}
