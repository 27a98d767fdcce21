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

/** As wide as the narrowest terminal in use. */
const WIDTH = 80;
/** Of more clusters than these the number is shown. */
const MOST_NAMES = 3;
const KUBECTL_PAGE = 'https://kubernetes.io/docs/tasks/tools';

/** What comes up, and things to try: a screen of 80 columns and 24 lines holds it together with what follows. */
export function instructions(
  clusters: readonly FleetCluster[],
  hosted: readonly HostedFleetCluster[],
  hasKubectl: boolean,
): string {
  const commands = [...(hasKubectl ? kubectlCommands(clusters, hosted) : []), ...ownCommands(hosted)];
  const width = maxOf(
    commands.map(([command]) => command.length),
    0,
  );
  const lines = commands.map(([command, meaning]) => {
    const line = `  ${command.padEnd(width)}  # ${meaning}`;
    return line.length <= WIDTH ? line : `  ${command}`;
  });
  return [
    comingUp(clusters, hosted),
    ...(hasKubectl ? [] : ['kubectl is not on your PATH; most of this wants it:', `  ${KUBECTL_PAGE}`]),
    '',
    ...lines,
    'More to try: docs/guide/up.md',
  ].join('\n');
}

function comingUp(clusters: readonly FleetCluster[], hosted: readonly HostedFleetCluster[]): string {
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
  return total === 0
    ? 'No clusters come up: none were asked for.'
    : `${total} ${total === 1 ? 'cluster comes' : 'clusters come'} up: ${parts.join(', ')}.`;
}

function kubectlCommands([first]: readonly FleetCluster[], [hosted]: readonly HostedFleetCluster[]): Try[] {
  const ofHosted: Try[] =
    hosted === undefined
      ? []
      : [
          ['kubectl get hostedclusters,nodepools -A', 'hosted here'],
          [`kubectl get controlplanecomponents -n ${hosted.namespace}-${hosted.name}`, 'parts of one'],
          [`kubectl scale nodepool ${hosted.name}-workers -n ${hosted.namespace} --replicas 3`, 'one more'],
        ];
  const machines = first === undefined ? `machines.${CORE}` : `machines.${HOSTED_CORE}`;
  return [...ofHosted, [`kubectl get ${machines} -A`, 'of Cluster API'], ['kubectl get pods -A', 'all that runs']];
}

/** What works without kubectl. */
function ownCommands([hosted]: readonly HostedFleetCluster[]): Try[] {
  if (hosted === undefined) return [['npx capstan version', 'of this program and the server']];
  return [
    ['npx capstan get versions', 'their state'],
    [`npx capstan get kubeconfig ${hosted.name} --out ${hosted.name}.kubeconfig`, 'its own API'],
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
