import type { Command, Option } from 'commander';
import { expect, it } from 'vitest';
import { main } from './main.js';
import { hostingPlatforms } from './platforms.js';
import { createProgram } from './program.js';
import { TestIo } from './testing-io.js';

/** These would start to serve, or wait for a cluster, with whatever they are given. */
const SERVE =
  /^(?:up|apiserver|operator|proxy|crd-compatibility|capi-operator|conversion-shim|control-plane-operator|hosted-cluster-config-operator|machine-api operator)\b/;
const RUBBISH = ['%%', '__proto__', 'constructor', '-1', '1e999', '/nonexistent/x', '\u001b[31m'];
/** What only an error that nobody has thought of prints: a stack, a value of JavaScript, the hint to look for its place. */
const UNEXPLAINED = /^\s+at .*:\d+|set CAPSTAN_DEBUG=1|\bundefined\b|TypeError|not a function|native code|Cannot read/m;

interface Found {
  readonly command: Command;
  readonly words: readonly string[];
}

function commandsBelow(command: Command, words: readonly string[] = []): Found[] {
  const below = command.commands.flatMap((each) => commandsBelow(each, [...words, each.name()]));
  return [{ command, words }, ...below];
}

/** Lines that are wrong whatever the command does, and some that only it can refuse. */
function wrongLines({ command, words }: Found, next: () => string): readonly (readonly string[])[] {
  const takes = ({ long, required }: Option): boolean => required && long !== undefined && long !== null;
  const options = command.options.filter(takes).map(({ long }) => long ?? '');
  const always = [['--no-such-option'], ['-Z'], ...options.map((option) => [option])];
  if (command.commands.length > 0) return [...always, [next()]].map((line) => [...words, ...line]);
  const own = SERVE.test(words.join(' ')) ? [] : [[next()], ...options.map((each) => [`${each}=${next()}`])];
  return [...always, ...own].map((line) => [...words, ...line]);
}

it('every command explains what is wrong with its command line', { timeout: 300_000 }, async () => {
  let turn = 0;
  const next = (): string => RUBBISH[turn++ % RUBBISH.length] ?? '';
  const program = createProgram({ io: new TestIo(), exitCode: 0, command: main, platforms: await hostingPlatforms() });
  const unexplained: unknown[] = [];
  for (const found of commandsBelow(program))
    for (const line of wrongLines(found, next)) {
      const io = new TestIo();
      const code = await main(line, io);
      if (![0, 1, 2].includes(code) || UNEXPLAINED.test(io.stderr)) unexplained.push([line, code, io.stderr]);
    }
  expect(unexplained).toEqual([]);
});
