import type { FleetCluster } from './fleet.js';
import { CORE, HOSTED_CORE } from './groups.js';

/** Where the management cluster is to be found. */
export interface Place {
  readonly kubeconfig: string;
  readonly url: string;
  readonly version: string;
}

/** One line of JSON for programs. */
export function readyLine({ kubeconfig, url, version }: Place, clusters: readonly FleetCluster[]): string {
  const fleet = clusters.map(({ name, namespace, platform }) => ({ name, namespace, platform }));
  return `${JSON.stringify({ url, kubeconfig, pid: process.pid, version, fleet })}\n`;
}

/** Three things to try. */
export function instructions({ kubeconfig }: Place, [first]: readonly FleetCluster[]): string {
  const commands = [
    [`kubectl get machines.${HOSTED_CORE} -A`, 'what the hosted clusters are made of'],
    [`kubectl get machines.${CORE},machines.machine.openshift.io -A`, "the platform's own, in both of its APIs"],
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
