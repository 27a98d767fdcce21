import { Option } from 'commander';
import type { Command } from 'commander';
import { clientVersion } from '../client-version.js';
import type { ShimManifestsOptions, SidecarManifestsOptions } from '../manifests/run.js';
import { addExamples, eachText, someText, wholeNumber } from '../options.js';
import type { Context } from '../program.js';

/** Where everything is installed when nobody says otherwise. */
const NAMESPACE = 'hypershift';
const MAX_PORT = 65_535;

/** `capstan manifests` */
export function addManifests(program: Command, context: Context): void {
  const command = program
    .command('manifests')
    .description('Print what runs the programs of this project in a cluster.')
    .helpCommand('help [command]', 'print help for a command');
  addShim(command, context);
  addSidecar(command, context);
  addExamples(command, [
    ['capstan manifests conversion-shim | kubectl apply -f -', 'Run the conversion shim'],
    ['capstan manifests proxy-sidecar -f manager.yaml | kubectl apply -f -', 'Run a program behind the API proxy'],
  ]);
}

function addShim(parent: Command, context: Context): void {
  const command = parent
    .command('conversion-shim')
    .description(
      'Print the conversion shim: a Deployment of two with its budget, the Service that private definitions name, and the account and rights it runs with. The service CA gives it its certificate; where there is none, put one into the Secret capi-conversion-webhook-shim-serving-cert.',
    )
    .option('-n, --namespace <name>', 'namespace to run it in', someText, NAMESPACE)
    .option(
      '--delegate <group=target>',
      'who converts a group instead of whom its definition names; may be repeated',
      eachText,
    )
    .option('--service-monitor', 'add a ServiceMonitor, where the Prometheus operator is');
  addCommon(command);
  addExamples(command, [
    ['capstan manifests conversion-shim | kubectl apply -f -', 'Run the conversion shim'],
    [
      'capstan manifests conversion-shim -n private --image registry.example.com/capstan:v1 -o json',
      'Choose where it runs, and its image',
    ],
  ]);
  command.action(async (options: ShimManifestsOptions) => {
    const { runShimManifests } = await import('../manifests/run.js');
    await runShimManifests(options, context.io);
  });
}

function addSidecar(parent: Command, context: Context): void {
  const command = parent
    .command('proxy-sidecar')
    .description(
      'Put the API proxy beside programs: workloads of -f are printed with it, and their roles for the private groups; all other objects as they are. Without -f it is printed as a patch of a workload.',
    )
    .option('-f, --filename <file>', 'file or directory of objects, - for standard input; may be repeated', eachText)
    .option(
      '--container <name>',
      'container that is to speak through the proxy (default with -f: all); may be repeated',
      eachText,
    )
    .option('--port <number>', 'port of the proxy', wholeNumber(1, MAX_PORT), 8080)
    .option('--health-port <number>', 'port of its health checks and metrics', wholeNumber(1, MAX_PORT), 8081)
    .option('--shared-group <group>', 'standard group that is not translated; may be repeated', eachText);
  addCommon(command);
  addExamples(command, [
    ['capstan manifests proxy-sidecar -f manager.yaml | kubectl apply -f -', 'Run a program behind the API proxy'],
    [
      'kubectl patch deployment manager -p "$(capstan manifests proxy-sidecar --container manager -o json)"',
      'Put it beside a program that runs',
    ],
  ]);
  command.action(async (options: SidecarManifestsOptions) => {
    const { runSidecarManifests } = await import('../manifests/run.js');
    await runSidecarManifests(options, context.io);
  });
}

function addCommon(command: Command): void {
  command
    .option('--image <image>', 'image that has the capstan command', someText, `capstan:${clientVersion()}`)
    .option('--group-pair <standard=private>', 'one more group and its private name; may be repeated', eachText)
    .addOption(new Option('-o, --output <format>', 'output format').choices(['json', 'yaml']).default('yaml'));
}
