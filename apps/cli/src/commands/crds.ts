import { Option } from 'commander';
import type { Command } from 'commander';
import type { CheckOptions } from '../crds/check.js';
import type { MirrorCommandOptions } from '../crds/mirror.js';
import type { PreflightOptions } from '../crds/preflight.js';
import { addClusterOptions, addExamples, addOutputOption, eachText, someText, wholeNumber } from '../options.js';
import type { Context } from '../context.js';
import { verdict } from './verdict.js';

/** The oldest supported minor release. */
const MIN_MINOR = 30;

/** `capstan crds` */
export function addCrds(program: Command, context: Context): void {
  const crds = program.command('crds').alias('crd').description('Check, explain and mirror CustomResourceDefinitions.');
  addExamples(crds, [
    ['capstan crds mirror -f config/crd/bases', 'Print the private CRDs for a folder of CRDs'],
    ['capstan crd check --requirement needed.yaml --crd new.yaml', 'Check whether a CRD still serves its users'],
  ]);
  addCheck(crds, context);
  addExplain(crds, context);
  addMirror(crds, context);
  addPreflight(crds, context);
}

function addCheck(crds: Command, context: Context): void {
  const command = crds
    .command('check')
    .summary('Check CRDs against what is required of them')
    .description(
      'Check CRDs against what is required of them: is every object that was valid still valid? What is not given as files is read from the cluster. Exits with 0 when nothing breaks, with 1 when something would, and with 2 when there is no answer: a wrong command line, a file that cannot be read, a cluster that cannot be reached.',
    )
    .option(
      '-r, --requirement <file>',
      'CompatibilityRequirements, or CRDs in place of one; file, directory, git://REVISION:PATH, kube://[CRD][?context=NAME] or -; may be repeated',
      eachText,
    )
    .option('-f, --crd <file>', 'CRDs to check, from the same sources; may be repeated', eachText)
    .option(
      '--versions <which>',
      'versions required of a CRD that stands for a requirement: served, storage, or names separated by commas',
      someText,
      'served',
    )
    .option('--exclude <path>', 'field that such a CRD does not require; may be repeated', eachText)
    .option('--server-version <minor>', 'minor release of Kubernetes 1.x to check for', wholeNumber(MIN_MINOR, 99), 36)
    .option('--rule <rule=severity>', 'severity of a rule: error, warning or off; may be repeated', eachText)
    .option('--config <file>', 'YAML file of severities: "rules: {field-removed: warning}"', someText)
    .option('--witness', 'show the request that proves each error')
    .option('--diff', 'show how the schemas differ');
  addClusterOptions(command).addOption(
    new Option('-o, --output <format>', 'output format; github: workflow commands of GitHub Actions').choices([
      'table',
      'json',
      'yaml',
      'markdown',
      'sarif',
      'github',
    ]),
  );
  addExamples(command, [
    ['capstan crd check --requirement needed.yaml --crd new.yaml --witness', 'Compare two files, with proof'],
    ['capstan crd check --crd config/crd/bases -o sarif', 'Check a folder against the requirements of the cluster'],
    ['capstan crd check --requirement old/ --crd new/ --versions storage -o markdown', 'Compare two releases'],
    ['capstan crd check -r git://main:config/crd/bases -f config/crd/bases -o github', 'Check a pull request'],
    ['capstan crd check -r kube:// -f config/crd/bases', 'Compare with the CRDs of a cluster'],
    ['capstan crd check -r old/ -f new/ --rule enum-value-added=off', 'Allow new values of enumerations'],
  ]);
  command.action(async (options: CheckOptions) => {
    await verdict(context, async () => {
      const { runCheck } = await import('../crds/check.js');
      return runCheck(options, context.io);
    });
  });
}

function addPreflight(crds: Command, context: Context): void {
  const command = crds
    .command('preflight')
    .summary('Check whether the cluster would accept new CRDs')
    .description(
      'Report for each CRD whether the CompatibilityRequirements of the cluster would permit it. Changes nothing. Exits with 0 when all are permitted, with 1 when one would be refused, and with 2 when there is no answer.',
    )
    .requiredOption(
      '-f, --filename <file>',
      'CRDs: file, directory, git://REVISION:PATH or - for standard input; may be repeated',
      eachText,
    )
    .option('--server-side', 'ask the API server with a dry run, which includes its other admission webhooks');
  addClusterOptions(command).addOption(new Option('-o, --output <format>', 'output format').choices(['table', 'json']));
  addExamples(command, [
    ['capstan crd preflight -f config/crd/bases', 'Before an upgrade: would this cluster accept the new CRDs?'],
  ]);
  command.action(async (options: PreflightOptions) => {
    await verdict(context, async () => {
      const { runPreflight } = await import('../crds/preflight.js');
      return runPreflight(options, context.io);
    });
  });
}

function addExplain(crds: Command, context: Context): void {
  const command = crds
    .command('explain')
    .description('Print what a rule of the compatibility check means, or list all rules.')
    .argument('[rule]', 'id of the rule')
    .addOption(new Option('-o, --output <format>', 'output format').choices(['json']));
  addExamples(command, [['capstan crd explain field-removed', 'Learn what a finding means']]);
  command.action(async (rule: string | undefined, { output }: { readonly output?: 'json' }) => {
    const { runExplain } = await import('../crds/explain.js');
    await runExplain(rule, output, context.io);
  });
}

function addMirror(crds: Command, context: Context): void {
  const command = crds
    .command('mirror')
    .summary('Create private copies of the Cluster API CRDs')
    .description(
      'Create the private CRDs for standard Cluster API CRDs: the same kinds under the private groups, converted by the conversion shim. Prints them, or applies them with --apply.',
    )
    .option('-f, --filename <file>', 'file or directory of CRDs, - for standard input; may be repeated', eachText)
    .option('--from-cluster', 'mirror the CRDs of the cluster')
    .option(
      '--shim-service <namespace/name>',
      'Service of the conversion shim',
      someText,
      'hypershift/capi-conversion-webhook-shim',
    )
    .option('--ca-bundle <file>', "CA bundle of the shim's certificate (default: injected by the service CA)", someText)
    .option('--group-pair <standard=private>', 'another standard group and its private name; may be repeated', eachText)
    .option('--apply', 'apply the private CRDs to the cluster instead of printing them')
    .option('--dry-run', 'with --apply: let the server validate them and change nothing')
    .option('--force-conflicts', 'with --apply: take over fields that other field managers own');
  addOutputOption(command, ['yaml', 'json', 'name']);
  addClusterOptions(command);
  addExamples(command, [
    ['capstan crds mirror -f config/crd/bases > private.yaml', 'Mirror a folder of CRDs'],
    [
      'kubectl get crd -o yaml machines.cluster.x-k8s.io | capstan crds mirror -f -',
      'Mirror the output of another command',
    ],
    ['capstan crds mirror --from-cluster --apply --dry-run', 'Check whether the cluster would accept its private CRDs'],
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
