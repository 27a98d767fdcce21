import { Option } from 'commander';
import type { Command } from 'commander';
import type { ComponentName } from '@capstan/translate/sidecar';
import { clientVersion } from '../client-version.js';
import type { ShimManifestsOptions, SidecarManifestsOptions } from '../manifests/run.js';
import { addExamples, eachText, someText, wholeNumber } from '../options.js';
import type { Context } from '../context.js';

/** The default namespace. */
const NAMESPACE = 'hypershift';
const MAX_PORT = 65_535;
/** Those of `COMPONENTS`, whose module is loaded by the command alone. */
const COMPONENT_NAMES: readonly ComponentName[] = [
  'operator',
  'cluster-api',
  'capi-provider',
  'cluster-autoscaler',
  'machine-approver',
  'control-plane-operator',
  'hosted-cluster-config-operator',
  'karpenter-operator',
];

/** `capstan manifests` */
export function addManifests(program: Command, context: Context): void {
  const command = program
    .command('manifests')
    .description('Print manifests of the conversion shim and the API proxy sidecar.')
    .helpCommand('help [command]', 'Print help for a command');
  addShim(command, context);
  addSidecar(command, context);
  addExamples(command, [
    ['capstan manifests conversion-shim | kubectl apply -f -', 'Run the conversion shim'],
    ['capstan manifests proxy-sidecar -f manager.yaml | kubectl apply -f -', 'Run a controller behind the API proxy'],
  ]);
}

function addShim(parent: Command, context: Context): void {
  const command = parent
    .command('conversion-shim')
    .summary('Print the manifests of the conversion shim')
    .description(
      'Print the conversion shim: a Deployment of two replicas with its PodDisruptionBudget, the Service that the private CRDs name, a ServiceAccount and its RBAC. The service CA issues the certificate; without one, put it into the Secret capi-conversion-webhook-shim-serving-cert.',
    )
    .option('-n, --namespace <name>', 'namespace to run it in', someText, NAMESPACE)
    .option(
      '--delegate <group=target>',
      'webhook that converts a group, instead of the one its CRD names; may be repeated',
      eachText,
    )
    .option('--service-monitor', 'add a ServiceMonitor, for the Prometheus operator');
  addCommon(command);
  addExamples(command, [
    ['capstan manifests conversion-shim | kubectl apply -f -', 'Run the conversion shim'],
    [
      'capstan manifests conversion-shim -n private --image registry.example.com/capstan:v1 -o json',
      'Choose its namespace and image',
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
    .summary('Add the API proxy as a sidecar to workloads')
    .description(
      'Add the API proxy as a sidecar: workloads in -f are printed with it, Roles with the private groups, all other objects unchanged. Without -f it prints a patch for a workload.',
    )
    .option('-f, --filename <file>', 'file or directory of objects, - for standard input; may be repeated', eachText)
    .option(
      '--container <name>',
      'container that connects through the proxy (default with -f: all); may be repeated',
      eachText,
    )
    .addOption(
      new Option(
        '--component <name>',
        'component of the workload, whose flags and ports are known; decides --container',
      ).choices(COMPONENT_NAMES),
    )
    .option('--port <number>', 'port of the proxy (default: 8080, or a free one)', wholeNumber(1, MAX_PORT))
    .option(
      '--health-port <number>',
      'port of the health checks and metrics (default: 8081, or a free one)',
      wholeNumber(1, MAX_PORT),
    )
    .option('--remove', 'print the workloads in -f without the sidecar, as they were before it was added')
    .option('--no-native', 'add an ordinary container, for servers before Kubernetes 1.29')
    .option('--shared-group <group>', 'standard group that is not translated; may be repeated', eachText);
  addCommon(command);
  addExamples(command, [
    ['capstan manifests proxy-sidecar -f manager.yaml | kubectl apply -f -', 'Run a controller behind the API proxy'],
    [
      'kubectl get deployment cluster-autoscaler -o yaml | capstan manifests proxy-sidecar --component cluster-autoscaler -f - | kubectl apply -f -',
      'The same for a component that ignores KUBECONFIG',
    ],
    [
      'kubectl get deployment manager -o yaml | capstan manifests proxy-sidecar --remove -f - | kubectl replace -f -',
      'Remove it again',
    ],
    [
      'kubectl patch deployment manager -p "$(capstan manifests proxy-sidecar --container manager -o json)"',
      'Add it to a running Deployment',
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
    .option('--group-pair <standard=private>', 'another standard group and its private name; may be repeated', eachText)
    .addOption(new Option('-o, --output <format>', 'output format').choices(['json', 'yaml']).default('yaml'));
}
