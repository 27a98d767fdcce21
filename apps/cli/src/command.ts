import { Command } from 'commander';
import type { Option } from 'commander';

/** Names that commands had, and where they are now. */
const RENAMED: Readonly<Record<string, string>> = { versions: 'get versions' };

/** A command that names every required option that is missing, not the first alone. */
export class CapstanCommand extends Command {
  override createCommand(name?: string): Command {
    return new CapstanCommand(name);
  }

  /** Called by commander with the first of them. */
  missingMandatoryOptionValue(first: Option): void {
    const missing = this.options.filter(
      (option) => option.mandatory && this.getOptionValue(option.attributeName()) === undefined,
    );
    const names = (missing.length === 0 ? [first] : missing).map(({ flags }) => `'${flags}'`);
    const [what, last] = [names.length === 1 ? 'option' : 'options', names.pop() ?? ''];
    const list = names.length === 0 ? last : `${names.join(', ')} and ${last}`;
    this.error(`error: required ${what} ${list} not specified`, { code: 'commander.missingMandatoryOptionValue' });
  }
}

/**
 * A command line that asks for help, as commander has to read it: up to a command that does not exist, where it would
 * print the help of what is above; and with all words after `help`, of which it reads the first alone. Others are given
 * as they are.
 */
export function helpLine(program: Command, argv: readonly string[]): readonly string[] {
  const asksFirst = argv[0] === 'help';
  const words = asksFirst ? argv.slice(1) : argv;
  if (asksFirst && words.length === 0) return argv;
  const known = asksFirst ? [...words, '--help'] : argv;
  if (!asksFirst && !words.some((word) => word === '-h' || word === '--help')) return argv;
  let command = program;
  for (const [index, word] of words.entries()) {
    if (word.startsWith('-') || command.commands.length === 0) return known;
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (next === undefined) return word === 'help' ? argv : words.slice(0, index + 1);
    command = next;
  }
  return known;
}

/** What to write instead of a command that has another name now. */
export function renamedHint([first = '']: readonly string[]): string | undefined {
  const name = Object.hasOwn(RENAMED, first) ? RENAMED[first] : undefined;
  return name === undefined ? undefined : `'capstan ${first}' is 'capstan ${name}'.`;
}
