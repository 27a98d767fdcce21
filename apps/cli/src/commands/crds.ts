import type { Command } from 'commander';
import type { MirrorCommandOptions } from '../crds/mirror.js';
import { addClusterOptions, addExamples, addOutputOption, eachText, someText } from '../options.js';
import type { Context } from '../program.js';

/** `capstan crds` */
export function addCrds(program: Command, context: Context): void {
  const crds = program.command('crds').description('Work with CustomResourceDefinitions.');
  addExamples(crds, [
    ['capstan crds mirror -f config/crd/bases', 'Print the private twins of a folder of definitions'],
  ]);
  addMirror(crds, context);
}

function addMirror(crds: Command, context: Context): void {
  const command = crds
    .command('mirror')
    .description(
      'Make the private twins of standard Cluster API definitions: the same kinds under the private groups, converted by the conversion shim. Prints them, or applies them with --apply.',
    )
    .option(
      '-f, --filename <file>',
      'file or directory of definitions, - for standard input; may be repeated',
      eachText,
    )
    .option('--from-cluster', 'mirror the definitions that the cluster has')
    .option(
      '--shim-service <namespace/name>',
      'Service of the conversion shim',
      someText,
      'hypershift/capi-conversion-webhook-shim',
    )
    .option('--ca-bundle <file>', "authority of the shim's certificate (default: asked of the service CA)", someText)
    .option('--group-pair <standard=private>', 'one more group and its private name; may be repeated', eachText)
    .option('--apply', 'apply the twins to the cluster instead of printing them')
    .option('--dry-run', 'with --apply: let the server check them and change nothing')
    .option('--force-conflicts', 'with --apply: take fields over from whoever owns them');
  addOutputOption(command, ['yaml', 'json', 'name']);
  addClusterOptions(command);
  addExamples(command, [
    ['capstan crds mirror -f config/crd/bases > private.yaml', 'Mirror a folder of definitions'],
    [
      'kubectl get crd -o yaml machines.cluster.x-k8s.io | capstan crds mirror -f -',
      'Mirror what another command prints',
    ],
    ['capstan crds mirror --from-cluster --apply --dry-run', 'See whether the cluster would take the twins of its own'],
    [
      'capstan crds mirror -f crds.yaml --group-pair nodes.example.com=nodes.private.example.com',
      'Mirror a provider whose group is not below cluster.x-k8s.io',
    ],
  ]);
  command.action(async (options: MirrorCommandOptions) => {
    const { runMirror } = await import('../crds/mirror.js');
    await runMirror(options, context.io);
  });
}
