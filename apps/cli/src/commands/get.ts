import { Option } from 'commander';
import type { Command } from 'commander';
import type { KubeconfigOptions } from '../hosted/kubeconfig.js';
import { addClusterOptions, addExamples, someText } from '../options.js';
import type { Context } from '../context.js';
import { addVersions } from './versions.js';

/** `capstan get` */
export function addGet(program: Command, context: Context): void {
  const get = program.command('get').description('Get the kubeconfig of a hosted cluster, or the versions of all.');
  addExamples(get, [
    ['capstan get kubeconfig a > a.kubeconfig', 'Get the kubeconfig of a hosted cluster'],
    ['capstan get versions', 'List the versions of all control planes'],
  ]);
  addKubeconfig(get, context);
  addVersions(get, context);
}

function addKubeconfig(get: Command, context: Context): void {
  const command = get
    .command('kubeconfig <name>')
    .summary('Print the kubeconfig of a hosted cluster')
    .description(
      'Print the administrator kubeconfig of a hosted cluster. A kubeconfig that would run commands, read files or use a proxy is refused.',
    )
    .option('-n, --namespace <name>', 'namespace of the HostedCluster', someText, 'clusters')
    .option('--out <file>', 'write it to a file that only you can read', someText)
    .option('--merge', 'add it to your kubeconfig, as context NAMESPACE-NAME')
    .addOption(new Option('-o, --output <format>', 'output format').choices(['yaml', 'json']).default('yaml'));
  addClusterOptions(command);
  addExamples(command, [
    ['capstan get kubeconfig a --out a.kubeconfig && kubectl --kubeconfig a.kubeconfig get nodes', 'List its nodes'],
    ["capstan get kubeconfig a -o json | jq -r '.clusters[0].cluster.server'", 'Print the URL of its API server'],
  ]);
  command.action(async (name: string, options: KubeconfigOptions) => {
    const { runGetKubeconfig } = await import('../hosted/kubeconfig.js');
    await runGetKubeconfig(name, options, context.io);
  });
}
