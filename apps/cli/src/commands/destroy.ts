import type { Command } from 'commander';
import type { DestroyOptions } from '../hosted/destroy.js';
import { addClusterOptions, addExamples, addOutputOption, durationOption, someText } from '../options.js';
import type { Context } from '../program.js';

/** `capstan destroy` */
export function addDestroy(program: Command, context: Context): void {
  const destroy = program.command('destroy').description('Destroy hosted clusters and pools of nodes.');
  addExamples(destroy, [['capstan destroy cluster a', 'Destroy a cluster with its machines, and wait for the end']]);
  const cluster = destroy
    .command('cluster <name>')
    .description('Delete a HostedCluster, wait for its end, and delete the Secrets that were made along with it.');
  addCommon(cluster).option(
    '--destroy-cloud-resources',
    'also what the cluster made in the cloud: volumes, load balancers',
  );
  addExamples(cluster, [
    ['capstan destroy cluster a', 'Destroy a cluster and wait for the end'],
    ['capstan destroy cluster a --no-wait', 'Destroy it without waiting'],
  ]);
  cluster.action(async (name: string, options: DestroyOptions) => {
    const { runDestroyCluster } = await import('../hosted/destroy.js');
    await runDestroyCluster(name, options, context.io);
  });
  const pool = destroy
    .command('nodepool <name>')
    .description('Delete a NodePool and wait for the end of its machines.');
  addCommon(pool);
  addExamples(pool, [['capstan destroy nodepool more', 'Destroy a pool of nodes']]);
  pool.action(async (name: string, options: DestroyOptions) => {
    const { runDestroyNodePool } = await import('../hosted/destroy.js');
    await runDestroyNodePool(name, options, context.io);
  });
}

function addCommon(command: Command): Command {
  command
    .option('-n, --namespace <name>', 'namespace of the HostedCluster', someText, 'clusters')
    .addOption(durationOption('--cluster-grace-period <duration>', 'how long its end may take, 0 for ever', '10m'))
    .option('--no-wait', 'do not wait for the end');
  addOutputOption(command, ['name']);
  return addClusterOptions(command);
}
