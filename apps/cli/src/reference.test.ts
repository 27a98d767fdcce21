import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { main } from './main.js';
import { hostingPlatforms } from './platforms.js';
import { createProgram } from './program.js';
import { TestIo } from './testing-io.js';

/** The reference page of all commands: what `--help` prints, command by command. */
function commandReference(program: Command): string {
  const sections = visible(program).map(({ command, path }) => {
    let text = '';
    command.configureOutput({ writeOut: (piece) => (text += piece) });
    command.outputHelp();
    return `## ${path}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;
  });
  return [
    '# The command line\n',
    'What each command prints with `--help`. Errors go to standard error: one line `error: …`, then the next step;',
    '`CAPSTAN_DEBUG=1` adds the stack trace. A test compares this page with the program.\n',
    '| exit code | `convert`, `crd check`, `crd preflight`, `machine-api rehearse`, `migration rehearse`, `migration verify` | every other command |',
    '|---|---|---|',
    '| 0 | the answer is yes: everything can be converted, nothing breaks, all would be permitted, switched or migrated, nothing differs | done |',
    '| 1 | the answer is no | it failed |',
    '| 2 | there is no answer: a wrong command line, a file that cannot be read, a cluster that cannot be reached | a wrong command line |\n',
    sections.join('\n'),
  ].join('\n');
}

function visible(command: Command, parent = ''): { command: Command; path: string }[] {
  const path = parent === '' ? command.name() : `${parent} ${command.name()}`;
  const shown = command.commands.filter((child) => !child.name().startsWith('__'));
  const below = shown.flatMap((child) => visible(child, path));
  return [{ command, path }, ...below];
}

it('The reference page matches --help (vitest run apps/cli/src/reference.test.ts -u rewrites it)', async () => {
  const program = createProgram({ io: new TestIo(), exitCode: 0, command: main, platforms: await hostingPlatforms() });
  await expect(commandReference(program)).toMatchFileSnapshot('../../../docs/reference/cli.md');
});

it('The README lists every command that users type', async () => {
  const program = createProgram({ io: new TestIo(), exitCode: 0, command: main, platforms: await hostingPlatforms() });
  const readme = await readFile(join(import.meta.dirname, '../../../README.md'), 'utf8');
  const [row = ''] = readme.split('\n').filter((line) => line.startsWith('| The `capstan` command'));
  const names = program.commands.map((command) => command.name()).filter((name) => !name.startsWith('__'));
  expect(names.filter((name) => name !== 'help' && !row.includes(`\`${name}\``))).toEqual([]);
});
