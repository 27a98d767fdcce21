import type { Command } from 'commander';
import { bashCompletion } from './bash.js';
import { fishCompletion } from './fish.js';
import { powershellCompletion } from './powershell.js';
import { completionTree } from './tree.js';
import type { CompletionNode } from './tree.js';
import { zshCompletion } from './zsh.js';

const WRITERS: Readonly<Record<string, (root: CompletionNode) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
};

/** The completion script of the whole program for a shell. */
export function completionScript(program: Command, shell: string): string {
  return WRITERS[shell]?.(completionTree(program)) ?? '';
}
