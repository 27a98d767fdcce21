import type { Command } from 'commander';
import type { DestroyOptions } from '../hosted/destroy.js';
import { addClusterOptions, addExamples, addOutputOption, durationOption, someText } from '../options.js';
import type { Context } from '../context.js';

/** `capstan destroy` */
export function addDestroy(program: Command, context: Context): void {
  const destroy = program.command('destroy').description('Delete a hosted cluster or a node pool.');
  addExamples(destroy, [
    ['capstan destroy cluster a', 'Delete a cluster with its machines, and wait until it is deleted'],
  ]);
  const cluster = destroy
    .command('cluster <name>')
    .summary('Delete a hosted cluster')
    .description('Delete a HostedCluster, wait until it is deleted, and delete the Secrets that were created with it.');
  addCommon(cluster).option(
    '--destroy-cloud-resources',
    'also delete what the cluster created in the cloud: volumes, load balancers',
  );
  addExamples(cluster, [
    ['capstan destroy cluster a', 'Delete a cluster and wait until it is deleted'],
    ['capstan destroy cluster a --no-wait', 'Delete it without waiting'],
  ]);
  cluster.action(async (name: string, options: DestroyOptions) => {
    const { runDestroyCluster } = await import('../hosted/destroy.js');
    await runDestroyCluster(name, options, context.io);
  });
  const pool = destroy
    .command('nodepool <name>')
    .description('Delete a NodePool and wait until its machines are deleted.');
  addCommon(pool);
  addExamples(pool, [['capstan destroy nodepool more', 'Delete a node pool']]);
  pool.action(async (name: string, options: DestroyOptions) => {
    const { runDestroyNodePool } = await import('../hosted/destroy.js');
    await runDestroyNodePool(name, options, context.io);
  });
}

function addCommon(command: Command): Command {
  command
    .option('-n, --namespace <name>', 'namespace of the HostedCluster', someText, 'clusters')
    .addOption(durationOption('--cluster-grace-period <duration>', 'how long to wait, 0 for ever', '10m'))
    .option('--no-wait', 'do not wait for the deletion');
  addOutputOption(command, ['name']);
  return addClusterOptions(command);
}
