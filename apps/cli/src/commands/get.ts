import type { Command } from 'commander';
import type { KubeconfigOptions } from '../hosted/kubeconfig.js';
import { addClusterOptions, addExamples, someText } from '../options.js';
import type { Context } from '../program.js';

/** `capstan get` */
export function addGet(program: Command, context: Context): void {
  const get = program.command('get').description('Get what hosted clusters hand out.');
  addExamples(get, [['capstan get kubeconfig a > a.kubeconfig', 'The way into a hosted cluster']]);
  const command = get
    .command('kubeconfig <name>')
    .description(
      'Print the kubeconfig of the administrator of a hosted cluster. One that would run commands, read files or use a proxy is refused.',
    )
    .option('-n, --namespace <name>', 'namespace of the HostedCluster', someText, 'clusters')
    .option('--out <file>', 'write it to a file that only you can read', someText)
    .option('--merge', 'add it to your kubeconfig, as context NAMESPACE-NAME');
  addClusterOptions(command);
  addExamples(command, [
    ['capstan get kubeconfig a --out a.kubeconfig && kubectl --kubeconfig a.kubeconfig get nodes', 'Look at its nodes'],
  ]);
  command.action(async (name: string, options: KubeconfigOptions) => {
    const { runGetKubeconfig } = await import('../hosted/kubeconfig.js');
    await runGetKubeconfig(name, options, context.io);
  });
}
