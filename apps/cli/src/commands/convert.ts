import { Option } from 'commander';
import type { Command } from 'commander';
import type { ConvertOptions } from '../convert/run.js';
import { addClusterOptions, addExamples, eachText, someText } from '../options.js';
import type { Context } from '../context.js';
import { verdict } from './verdict.js';

/** `capstan convert` */
export function addConvert(program: Command, context: Context): void {
  const command = program
    .command('convert')
    .summary('Convert machines between Machine API and Cluster API')
    .description(
      'Convert Machines, MachineSets, MachineHealthChecks and ControlPlaneMachineSets between Machine API and Cluster API, or check whether they can be converted. Prints the manifests in the order to apply them, or none if an object cannot be converted. Writes nothing to the cluster. Exits with 0 when everything was converted, with 1 when an object cannot be converted, and with 2 when there is no answer: a wrong command line, a file that cannot be read, a cluster that cannot be reached.',
    )
    .argument('[objects...]', 'live objects: machines, machineset/NAME, machines.cluster.x-k8s.io/NAME, mhc, cpms')
    .option('-f, --filename <file>', 'file or directory of objects, - for standard input; may be repeated', eachText)
    .option('-R, --recursive', 'also read the directories below those given')
    .option('--from-cluster', 'convert all objects of the cluster')
    .addOption(
      new Option('--to <api>', 'API to convert to (default: the one that none of the objects has)').choices([
        'cluster-api',
        'machine-api',
      ]),
    )
    .option(
      '--infrastructure <file>',
      'infrastructure cluster (such as AWSCluster), Infrastructure of config.openshift.io, or both, to compare values with (default: among the objects, or in the cluster); may be repeated',
      eachText,
    )
    .option(
      '--cluster-name <name>',
      'name of the cluster (default: the infrastructure name of the Infrastructure)',
      someText,
    )
    .option(
      '-n, --namespace <name>',
      'namespace of the written objects (default: openshift-cluster-api or openshift-machine-api)',
      someText,
    )
    .option(
      '--from-namespace <name>',
      'namespace of the objects read (default: openshift-machine-api or openshift-cluster-api)',
      someText,
    );
  addOutputOptions(command);
  addClusterOptions(command);
  addExamples(command, [
    ['capstan convert --check', 'Before a cluster is switched over: can all its machines be converted?'],
    [
      'capstan convert -f machineset.yaml --infrastructure cluster.yaml > converted.yaml',
      'Convert a file and compare it with the infrastructure of its cluster',
    ],
    [
      'oc get machines.machine.openshift.io -n openshift-machine-api -o json | capstan convert -f - -o json',
      'Convert the output of another command',
    ],
    ['capstan convert machineset/worker-a --report table', 'Convert a live MachineSet and report on each field'],
    ['capstan convert -f converted.yaml --infrastructure cluster.yaml --to machine-api', 'Convert back'],
    ['capstan convert -R -f must-gather/ --check --report markdown --report-file report.md', 'Check a must-gather'],
  ]);
  command.action(async (names: readonly string[], options: ConvertOptions) => {
    await verdict(context, async () => {
      const [{ runConvert }, { conversionPlatforms }] = await Promise.all([
        import('../convert/run.js'),
        import('../platforms.js'),
      ]);
      return runConvert(names, options, context.io, await conversionPlatforms());
    });
  });
}

function addOutputOptions(command: Command): void {
  command
    .addOption(new Option('-o, --output <format>', 'format of the manifests (default: yaml)').choices(['yaml', 'json']))
    .option('--output-dir <directory>', 'write one file per object, in order, instead of printing', someText)
    .addOption(
      new Option(
        '--report <format>',
        'report per object which fields were mapped, derived, warned about and refused, and what to change; on standard error',
      ).choices(['table', 'json', 'markdown']),
    )
    .option('--report-file <file>', 'write the report to this file', someText)
    .option('--check', 'write no manifests: print the report, on the whole cluster if no object is given')
    .option(
      '--paused',
      'to Cluster API: write paused objects, which its controllers leave alone while Machine API manages the machines',
    )
    .option('--keep-going', 'write what can be converted even if something cannot, and exit with 1 then');
}
