import { maxOf } from '@capstan/meta';
import { breakingChange } from './checker.js';
import type { FleetCluster } from './fleet.js';
import { CORE, HOSTED_CORE } from './groups.js';
import type { HostedFleetCluster } from './hosting/clusters.js';

/** Where the management cluster is to be found. */
export interface Place {
  readonly kubeconfig: string;
  readonly url: string;
  readonly version: string;
  /** References of the releases that hosted clusters can be brought to, oldest first. */
  readonly releases: readonly string[];
}

/** One line of JSON for programs. */
export function readyLine(
  { kubeconfig, releases, url, version }: Place,
  clusters: readonly FleetCluster[],
  hosts: readonly HostedFleetCluster[],
): string {
  const fleet = clusters.map(({ name, namespace, platform }) => ({ name, namespace, platform }));
  const hosted = hosts.map(({ name, namespace, platform }) => ({ name, namespace, platform: platform.type }));
  return `${JSON.stringify({ url, kubeconfig, pid: process.pid, version, hosted, fleet, releases })}\n`;
}

/** Things to try. */
export function instructions(
  { kubeconfig, releases }: Place,
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
  const width = maxOf(commands.map(([command]) => command.length));
  const lines = commands.map(([command, meaning]) => `  ${command.padEnd(width)}  # ${meaning}`);
  const upgrade = hosted === undefined ? [] : upgradeWithoutNodes(hosted, releases[1] ?? '');
  return [
    'In another terminal:',
    '',
    `  export KUBECONFIG=${kubeconfig}`,
    ...lines,
    '',
    ...upgrade,
    'To see a change refused that would break two who use the same definition:',
    '',
    `  ${breakingChange()}`,
    '',
    'Ctrl-C stops it.',
  ].join('\n');
}

function hostedCommands({ name, namespace }: HostedFleetCluster): [string, string][] {
  return [
    ['kubectl get hostedclusters,nodepools -A', 'clusters whose control planes run here'],
    [`kubectl get controlplanecomponents -n ${namespace}-${name}`, 'what such a control plane is made of'],
    [`kubectl scale nodepool ${name}-workers -n ${namespace} --replicas 3`, 'one more machine boots and joins'],
    ['npx capstan get versions', 'which versions their control planes have, and what their nodes may have'],
    [`npx capstan get kubeconfig ${name} -n ${namespace} --out ${name}.kubeconfig`, 'the way into it'],
    [
      `kubectl --kubeconfig ${name}.kubeconfig create deployment web --image web --replicas 3`,
      'pods that run on its nodes',
    ],
  ];
}

/** The management side completes, the cluster as a whole cannot: what `capstan get versions` shows side by side. */
function upgradeWithoutNodes({ name, namespace }: HostedFleetCluster, image: string): string[] {
  const patch = JSON.stringify({ spec: { release: { image } } });
  return [
    'To see a control plane upgraded that has no nodes:',
    '',
    `  kubectl scale nodepool ${name}-workers -n ${namespace} --replicas 0`,
    // Nodes that are still drained would be upgraded with it.
    `  kubectl wait machines.${CORE} -n ${namespace}-${name} --all --for delete --timeout 2m`,
    `  kubectl patch hostedcluster ${name} -n ${namespace} --type merge -p '${patch}'`,
    '  npx capstan get versions --watch',
    '',
  ];
}

/** Of the cluster whose control plane is upgraded while it has no nodes. */
export function upgradeText(name: string): string {
  return `${name} has no nodes now, and its control plane is being upgraded: 'npx capstan get versions --watch' tells both sides`;
}
