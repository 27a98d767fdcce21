import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

interface Process {
  readonly ppid: number;
  readonly argv: readonly string[];
}

/** The functions under test, which are plain JavaScript. */
interface EndWithNpm {
  readonly npmAbove: (
    env: Record<string, string>,
    pid: number,
    processOf: (pid: number) => Process | undefined,
  ) => [child: number, parent: number][] | undefined;
}

const path = fileURLToPath(new URL('../bin/end-with-npm.js', import.meta.url));
const { npmAbove } = (await import(path)) as EndWithNpm;

const NPM = '/usr/lib/npm/bin/npm-cli.js';
const ENV = { npm_lifecycle_event: 'start', npm_execpath: NPM };
const npm: Process = { ppid: 1, argv: ['npm start', ''] };
const command = (ppid: number): Process => ({ ppid, argv: ['node', 'capstan.js', 'up'] });
const shell = (script: string): Process => ({ ppid: 10, argv: ['sh', '-c', script, ''] });
const BOTH = [
  [30, 20],
  [20, 10],
];

describe('the npm that has started a command', () => {
  it.each<[string, Record<string, string>, Record<number, Process>, number[][] | undefined]>([
    ['above its shell', ENV, { 10: npm, 20: shell('node capstan.js up'), 30: command(20) }, BOTH],
    [
      'above its shell, by the path of its program',
      ENV,
      { 10: { ppid: 1, argv: ['node', NPM, 'start'] }, 20: shell('a && node capstan.js up 2>&1'), 30: command(20) },
      BOTH,
    ],
    ['directly above, where the shell has become the command', ENV, { 10: npm, 30: command(10) }, [[30, 10]]],
    [
      'is not ended with by a command that its script leaves in the background',
      ENV,
      { 10: npm, 20: shell('capstan apiserver & vitest'), 30: command(20) },
      undefined,
    ],
    [
      'is not ended with by what a program of its script has started',
      ENV,
      { 10: npm, 20: { ppid: 10, argv: ['node', 'vitest'] }, 30: command(20) },
      undefined,
    ],
    ['is unknown where the system does not show processes', ENV, {}, undefined],
    ['is none without its environment', {}, { 10: npm, 20: shell('node capstan.js'), 30: command(20) }, undefined],
  ])('%s', (_name, env, processes, expected) => {
    expect(npmAbove(env, 30, (pid) => processes[pid])).toEqual(expected);
  });
});
