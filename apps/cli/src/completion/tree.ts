import type { Command, Option } from 'commander';
import { ARGUMENT_KINDS, OPTION_KINDS } from './kinds.js';
import type { CompletedKind } from './kinds.js';

/** What completion needs to know of an option. */
export interface CompletionOption {
  /** `-o` and `--output`, as they are typed. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  /** What its value is the name of, where that is found out only when a shell asks. */
  readonly kind: CompletedKind | undefined;
  /** The value is a path. */
  readonly isFile: boolean;
}

/** What completion needs to know of a command. */
export interface CompletionNode {
  /** `capstan completion` */
  readonly path: string;
  readonly name: string;
  /** Other names it has. */
  readonly aliases: readonly string[];
  readonly description: string;
  readonly options: readonly CompletionOption[];
  readonly children: readonly CompletionNode[];
  /** Values its first argument may have. */
  readonly argumentChoices: readonly string[];
  /** What its first argument is the name of, where that is found out only when a shell asks. */
  readonly argumentKind: CompletedKind | undefined;
}

function readOption(option: Option): CompletionOption {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined && flag !== null);
  const takesValue = option.required || option.optional;
  return {
    flags,
    description: option.description,
    takesValue,
    choices: option.argChoices ?? [],
    kind: OPTION_KINDS[option.long ?? ''],
    isFile: takesValue && /<(?:file|folder|directory|dir)>/.test(option.flags),
  };
}

/** The command tree as data; hidden commands and options are left out. */
export function completionTree(command: Command, parentPath = ''): CompletionNode {
  const path = parentPath === '' ? command.name() : `${parentPath} ${command.name()}`;
  const help = command.createHelp();
  return {
    path,
    name: command.name(),
    aliases: command.aliases(),
    description: command.description(),
    options: help.visibleOptions(command).map(readOption),
    children: help.visibleCommands(command).map((child) => completionTree(child, path)),
    argumentChoices: command.registeredArguments[0]?.argChoices ?? [],
    argumentKind: ARGUMENT_KINDS[path.slice(path.indexOf(' ') + 1)],
  };
}

/** The paths by which a node can be typed: its own, and with each of its aliases. */
export function pathsOf({ aliases, name, path }: CompletionNode): string[] {
  return [name, ...aliases].map((each) => `${path.slice(0, path.length - name.length)}${each}`);
}

/** The node and all below it. */
export function flatten(node: CompletionNode): CompletionNode[] {
  return [node, ...node.children.flatMap(flatten)];
}
