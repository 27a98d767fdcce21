import { Argument } from 'commander';
import type { Command } from 'commander';
import type { CompletedKind } from '../completion/kinds.js';
import { addExamples } from '../options.js';
import type { Context } from '../context.js';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

/** `capstan __complete`, which the scripts of shells call. */
function addCandidates(program: Command, { io }: Context): void {
  program
    .command('__complete', { hidden: true })
    .argument('<kind>', 'what to complete')
    .argument('[words...]', 'the command line so far')
    .action(async (kind: CompletedKind, words: string[]) => {
      const { candidatesOf } = await import('../completion/candidates.js');
      for (const name of await candidatesOf(kind, words, io)) io.out(`${name}\n`);
    });
}

/** `capstan completion` */
export function addCompletion(program: Command, context: Context): void {
  addCandidates(program, context);
  const command = program
    .command('completion')
    .description('Print a shell script that completes commands, options and names of objects.')
    .addArgument(new Argument('<shell>', 'shell to print the script for').choices(SHELLS));
  addExamples(command, [
    ['source <(capstan completion bash)', 'Complete in the current bash'],
    ['capstan completion zsh > "${fpath[1]}/_capstan"', 'Complete in every zsh'],
    ['capstan completion fish > ~/.config/fish/completions/capstan.fish', 'Complete in every fish'],
    ['capstan completion powershell | Out-String | Invoke-Expression', 'Complete in this PowerShell'],
  ]);
  command.action(async (shell: string) => {
    const { completionScript } = await import('../completion/run.js');
    context.io.out(completionScript(program, shell));
  });
}
