import { Argument } from 'commander';
import type { Command } from 'commander';
import { addExamples } from '../options.js';
import type { Context } from '../program.js';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

/** `capstan completion` */
export function addCompletion(program: Command, context: Context): void {
  const command = program
    .command('completion')
    .description('Print a script that completes commands and options in a shell.')
    .addArgument(new Argument('<shell>', 'shell to complete in').choices(SHELLS));
  addExamples(command, [
    ['source <(capstan completion bash)', 'Complete in this bash'],
    ['capstan completion zsh > "${fpath[1]}/_capstan"', 'Complete in every zsh'],
    ['capstan completion fish > ~/.config/fish/completions/capstan.fish', 'Complete in every fish'],
    ['capstan completion powershell | Out-String | Invoke-Expression', 'Complete in this PowerShell'],
  ]);
  command.action(async (shell: string) => {
    const { completionScript } = await import('../completion/run.js');
    context.io.out(completionScript(program, shell));
  });
}
