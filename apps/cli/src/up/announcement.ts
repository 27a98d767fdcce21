import { maxOf } from '@capstan/meta';
import type { FleetCluster } from './fleet.js';
import { CORE, HOSTED_CORE } from './groups.js';
import type { HostedFleetCluster } from './hosting/clusters.js';
import type { MigrationView } from './migration/view.js';
import { elapsed } from './progress.js';

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

type Try = readonly [command: string, meaning: string];

/** Of more clusters than these the number is shown. */
const MOST_NAMES = 3;
const KUBECTL_PAGE = 'https://kubernetes.io/docs/tasks/tools';

/** What there is to say once a user can begin. */
export interface Beginning {
  readonly clusters: readonly FleetCluster[];
  readonly hosted: readonly HostedFleetCluster[];
  /** Whether hosted clusters are moved to private types once they are there. */
  readonly migrates: boolean;
  readonly hasKubectl: boolean;
}

/** What comes up, what happens to it, and how to look: with what is shown above and below of it, eight lines. */
export function instructions(beginning: Beginning): string {
  const { hasKubectl } = beginning;
  const commands = hasKubectl ? kubectlCommands(beginning) : ownCommands(beginning);
  const width = maxOf(
    commands.map(([command]) => command.length),
    0,
  );
  const lines = commands.map(([command, meaning]) => `  ${command.padEnd(width)}  # ${meaning}`);
  const more = hasKubectl ? 'More to try: docs/guide/up.md' : `Most of docs/guide/up.md wants kubectl: ${KUBECTL_PAGE}`;
  return [...happening(beginning), ...lines, more].join('\n');
}

function happening({ clusters, hosted, migrates }: Beginning): string[] {
  const groups = [
    [hosted, 'hosted'],
    [clusters, 'of Cluster API'],
  ] as const;
  const parts = groups.flatMap(([list, what]) => {
    if (list.length === 0) return [];
    const names = list.length > MOST_NAMES ? '' : ` (${list.map(({ name }) => name).join(', ')})`;
    return [`${list.length} ${what}${names}`];
  });
  const total = clusters.length + hosted.length;
  if (total === 0) return ['No clusters come up: none were asked for.'];
  const first = `${total} ${total === 1 ? 'cluster comes' : 'clusters come'} up: ${parts.join(', ')}.`;
  if (!migrates || hosted.length === 0) return [first];
  return [first, 'Then hosted clusters are moved to private Cluster API types, live, one by one.'];
}

function kubectlCommands({ clusters: [first], hosted: [hosted], migrates }: Beginning): Try[] {
  if (hosted === undefined) {
    const machines = first === undefined ? `machines.${CORE}` : `machines.${HOSTED_CORE}`;
    return [
      [`kubectl get ${machines} -A`, 'of Cluster API'],
      ['kubectl get pods -A', 'all that runs'],
    ];
  }
  return [
    ['kubectl get hostedclusters,nodepools -A', 'hosted here'],
    migrates
      ? ['npx capstan migration status --watch', 'how far the move is']
      : [`kubectl scale nodepool ${hosted.name}-workers -n ${hosted.namespace} --replicas 3`, 'one more'],
  ];
}

/** What works without kubectl. */
function ownCommands({ hosted: [hosted], migrates }: Beginning): Try[] {
  if (hosted === undefined) return [['npx capstan version', 'of this program and the server']];
  return [
    ['npx capstan get versions', 'their state'],
    migrates
      ? ['npx capstan migration status --watch', 'how far the move is']
      : [`npx capstan get kubeconfig ${hosted.name} --out ${hosted.name}.kubeconfig`, 'its own API'],
  ];
}

/** What to type in the terminal where the cluster is to be used; shown last, so that it does not scroll away. */
export function useLines(kubeconfig: string): string[] {
  return ['', 'In another terminal (Ctrl-C stops this one):', `  export KUBECONFIG=${kubeconfig}`];
}

/** What the move to private types has come to. */
export function migrationText({ clusters, failed, sinceMs }: Omit<MigrationView, 'stages' | 'isOver'>): string {
  const moved = clusters - failed.length;
  const text = `${moved === 1 ? '1 cluster is' : `${moved} clusters are`} on private types after ${elapsed(sinceMs)}.`;
  if (failed.length === 0) return text;
  return `${text} Rolled back: ${failed.join(', ')}; to see why:\n  kubectl describe hostedclusters -n clusters ${failed[0]}`;
}

/** Of the cluster whose control plane is upgraded while it has no nodes. */
export function upgradeText(name: string): string {
  return `${name} has no nodes now, and its control plane is being upgraded. Both sides:\n  npx capstan get versions --watch`;
}
