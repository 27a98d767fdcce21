import type { FleetCluster } from './fleet.js';
import { CORE, HOSTED_CORE } from './groups.js';
import type { HostedFleetCluster } from './hosting/clusters.js';

/** Where the management cluster is to be found. */
export interface Place {
  readonly kubeconfig: string;
  readonly url: string;
  readonly version: string;
}

/** One line of JSON for programs. */
export function readyLine(
  { kubeconfig, url, version }: Place,
  clusters: readonly FleetCluster[],
  hosts: readonly HostedFleetCluster[],
): string {
  const fleet = clusters.map(({ name, namespace, platform }) => ({ name, namespace, platform }));
  const hosted = hosts.map(({ name, namespace, platform }) => ({ name, namespace, platform: platform.type }));
  return `${JSON.stringify({ url, kubeconfig, pid: process.pid, version, hosted, fleet })}\n`;
}

/** Things to try. */
export function instructions(
  { kubeconfig }: Place,
  [first]: readonly FleetCluster[],
  [hosted]: readonly HostedFleetCluster[],
): string {
  const commands = [
    ...(hosted === undefined ? [] : hostedCommands(hosted)),
    [`kubectl get machines.${HOSTED_CORE} -A`, 'what the clusters on private types are made of'],
    [
      `kubectl get machines.${CORE},machines.machine.openshift.io -A`,
      "of hosted clusters, and the platform's own in both of its APIs",
    ],
    first === undefined
      ? ['kubectl get pods -A', 'the programs that look after it all']
      : [
          `kubectl scale machinedeployments.${HOSTED_CORE} ${first.name}-workers -n ${first.namespace} --replicas 4`,
          'machines are made, boot and join',
        ],
  ] as const;
  const width = Math.max(...commands.map(([command]) => command.length));
  const lines = commands.map(([command, meaning]) => `  ${command.padEnd(width)}  # ${meaning}`);
  return ['In another terminal:', '', `  export KUBECONFIG=${kubeconfig}`, ...lines, '', 'Ctrl-C stops it.'].join('\n');
}

function hostedCommands({ name, namespace }: HostedFleetCluster): [string, string][] {
  return [
    ['kubectl get hostedclusters,nodepools -A', 'clusters whose control planes run here'],
    [`kubectl get controlplanecomponents -n ${namespace}-${name}`, 'what such a control plane is made of'],
    [`kubectl scale nodepool ${name}-workers -n ${namespace} --replicas 3`, 'one more machine boots and joins'],
    [`npx capstan get kubeconfig ${name} -n ${namespace} --out ${name}.kubeconfig`, 'the way into it'],
  ];
}
