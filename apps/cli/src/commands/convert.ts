import { Option } from 'commander';
import type { Command } from 'commander';
import type { ConvertOptions } from '../convert/run.js';
import { addClusterOptions, addExamples, eachText, someText } from '../options.js';
import type { Context } from '../program.js';

/** `capstan convert` */
export function addConvert(program: Command, context: Context): void {
  const command = program
    .command('convert')
    .description(
      'Convert machines, sets of them, health checks and sets of control plane machines between Machine API and Cluster API, or check whether they can be. Prints manifests in the order in which they are to be applied, and nothing at all when something cannot be converted. Changes no cluster. Ends with 1 when something cannot be converted.',
    )
    .argument('[objects...]', 'live objects: machines, machineset/NAME, machines.cluster.x-k8s.io/NAME, mhc, cpms')
    .option('-f, --filename <file>', 'file or directory of objects, - for standard input; may be repeated', eachText)
    .option('-R, --recursive', 'also the directories below those named')
    .option('--from-cluster', 'all objects of the cluster')
    .addOption(
      new Option('--to <api>', 'API to convert to; default: the one that no object is of').choices([
        'cluster-api',
        'machine-api',
      ]),
    )
    .option(
      '--infrastructure <file>',
      'infrastructure cluster (such as AWSCluster), Infrastructure of config.openshift.io, or both, with which values are compared; default: among the objects, or in the cluster; may be repeated',
      eachText,
    )
    .option(
      '--cluster-name <name>',
      'name of the cluster; default: the infrastructure name of the Infrastructure',
      someText,
    )
    .option(
      '-n, --namespace <name>',
      'namespace of what is written; default: openshift-cluster-api or openshift-machine-api',
      someText,
    )
    .option(
      '--from-namespace <name>',
      'namespace of what is read; default: openshift-machine-api or openshift-cluster-api',
      someText,
    );
  addOutputOptions(command);
  addClusterOptions(command);
  addExamples(command, [
    ['capstan convert --check', 'Before a cluster is switched: can all its machines be converted?'],
    [
      'capstan convert -f machineset.yaml --infrastructure cluster.yaml > converted.yaml',
      'Convert a file, compared with what its cluster runs on',
    ],
    [
      'oc get machines.machine.openshift.io -n openshift-machine-api -o json | capstan convert -f - -o json',
      'Convert what another command prints',
    ],
    ['capstan convert machineset/worker-a --report table', 'Convert a live set, and see what became of each field'],
    ['capstan convert -f converted.yaml --infrastructure cluster.yaml --to machine-api', 'The way back'],
    [
      'capstan convert -R -f must-gather/ --check --report markdown --report-file report.md',
      'Check a dump of a cluster',
    ],
  ]);
  command.action(async (names: readonly string[], options: ConvertOptions) => {
    const [{ runConvert }, { conversionPlatforms }] = await Promise.all([
      import('../convert/run.js'),
      import('../platforms.js'),
    ]);
    if (!(await runConvert(names, options, context.io, await conversionPlatforms()))) context.exitCode = 1;
  });
}

function addOutputOptions(command: Command): void {
  command
    .addOption(new Option('-o, --output <format>', 'format of the manifests; default: yaml').choices(['yaml', 'json']))
    .option('--output-dir <directory>', 'write a file for each object, in order, instead of printing them', someText)
    .addOption(
      new Option(
        '--report <format>',
        'tell of every object what was mapped, derived, warned of and refused, and what to change; on standard error',
      ).choices(['table', 'json', 'markdown']),
    )
    .option('--report-file <file>', 'write the report there', someText)
    .option('--check', 'write no manifests: print the report, of the whole cluster when nothing else is named')
    .option(
      '--paused',
      'to Cluster API: write objects that its controllers leave alone, as long as Machine API looks after the machines',
    )
    .option('--keep-going', 'write what can be converted also when something cannot, and end with 1 then');
}
