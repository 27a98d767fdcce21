import type { Command, Option } from 'commander';

/** What completion needs to know of an option. */
export interface CompletionOption {
  /** `-o` and `--output`, as they are typed. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  /** The value is a path. */
  readonly isFile: boolean;
}

/** What completion needs to know of a command. */
export interface CompletionNode {
  /** `capstan completion` */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletionOption[];
  readonly children: readonly CompletionNode[];
  /** Values its first argument may have. */
  readonly argumentChoices: readonly string[];
}

function readOption(option: Option): CompletionOption {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined && flag !== null);
  const takesValue = option.required || option.optional;
  return {
    flags,
    description: option.description,
    takesValue,
    choices: option.argChoices ?? [],
    isFile: takesValue && /<(?:file|folder)>/.test(option.flags),
  };
}

/** The command tree as data; hidden commands and options are left out. */
export function completionTree(command: Command, parentPath = ''): CompletionNode {
  const path = parentPath === '' ? command.name() : `${parentPath} ${command.name()}`;
  const help = command.createHelp();
  return {
    path,
    name: command.name(),
    description: command.description(),
    options: help.visibleOptions(command).map(readOption),
    children: help.visibleCommands(command).map((child) => completionTree(child, path)),
    argumentChoices: command.registeredArguments[0]?.argChoices ?? [],
  };
}

/** The node and all below it. */
export function flatten(node: CompletionNode): CompletionNode[] {
  return [node, ...node.children.flatMap(flatten)];
}
