import type { ControlPlaneUpdateHistory, HostedCluster } from '@capstan/api/hypershift';
import { humanDuration } from '@capstan/meta';
import { activeVersions, allowedNodePoolVersions, compareVersions, parseVersion } from '@capstan/release';
import type { AllowedVersions, ReleaseVersion } from '@capstan/release';
import { columnWidths, tableLine } from '../text-table.js';

/** What the versions of a hosted cluster are, apart for its two sides. */
export interface ClusterVersions {
  readonly namespace: string;
  readonly name: string;
  /** The version that the control plane has or is being upgraded to; absent if unknown. */
  readonly desired?: string | undefined;
  readonly state: 'Completed' | 'Partial' | 'Unknown';
  /** When the rollout was completed, or began. */
  readonly since?: string | undefined;
  /** Versions that components of the control plane may be running now, newest first. */
  readonly active: readonly string[];
  /** Which versions NodePools may have. */
  readonly nodePools?: AllowedVersions | undefined;
  /** Control plane and nodes together, as the cluster itself reports it. */
  readonly cluster?: { readonly version: string; readonly state: string } | undefined;
}

/** The versions of a hosted cluster. */
export function versionsOf({ metadata, status }: HostedCluster, skewWidth: number): ClusterVersions {
  const { desired, history = [] } = status?.controlPlaneVersion ?? {};
  const { name = '', namespace = '' } = metadata;
  return defined({
    namespace,
    name,
    desired: desired?.version,
    ...stateOf(history[0]),
    active: activeVersions(history),
    nodePools: allowedNodePoolVersions(history, skewWidth),
    cluster: wholeOf(status?.version?.history?.[0]),
  });
}

function stateOf(newest: ControlPlaneUpdateHistory | undefined): Pick<ClusterVersions, 'since' | 'state'> {
  if (newest === undefined) return { state: 'Unknown' };
  const { completionTime, startedTime } = newest;
  if (newest.state !== 'Completed') return { state: 'Partial', since: startedTime };
  return { state: 'Completed', since: completionTime ?? startedTime };
}

function wholeOf(
  newest: { readonly version?: string | undefined; readonly state: string } | undefined,
): ClusterVersions['cluster'] {
  return newest === undefined ? undefined : { version: newest.version ?? '', state: newest.state };
}

/** Without what nobody knows. */
function defined<T extends object>(row: T): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as T;
}

/** Whether some part of a control plane may be older than a version: also if that is unknown. */
export function isBelow({ active }: ClusterVersions, version: ReleaseVersion): boolean {
  const running = active.map((text) => parseVersion(text)).filter((each) => each !== undefined);
  return running.length === 0 || running.some((each) => compareVersions(each, version) < 0);
}

const HEADINGS = ['NAMESPACE', 'NAME', 'CONTROL PLANE', 'STATE', 'SINCE', 'MAY RUN', 'NODES MAY HAVE', 'CLUSTER'];
const NOTHING = '<none>';

function cells(row: ClusterVersions, nowMs: number): string[] {
  const { active, cluster, desired, name, namespace, nodePools, since, state } = row;
  return [
    namespace,
    name,
    desired ?? NOTHING,
    state,
    since === undefined ? NOTHING : ago(since, nowMs),
    active.length === 0 ? NOTHING : active.join(','),
    nodePools === undefined ? NOTHING : `${nodePools.floor} to ${nodePools.ceiling}`,
    cluster === undefined ? NOTHING : `${cluster.version} ${cluster.state}`,
  ];
}

function ago(moment: string, nowMs: number): string {
  return humanDuration(Math.max(0, nowMs - Date.parse(moment)));
}

/** Keeps columns aligned over all lines that are printed one after the other. */
export class VersionTable {
  #widths: readonly number[] = [];

  /** The heading and all rows. */
  whole(rows: readonly ClusterVersions[], nowMs: number): string {
    const lines = [HEADINGS, ...rows.map((row) => cells(row, nowMs))];
    this.#widths = columnWidths(lines);
    return lines.map((line) => tableLine(line, this.#widths)).join('');
  }

  /** One more row, under what was printed before. */
  row(row: ClusterVersions, nowMs: number): string {
    return tableLine(cells(row, nowMs), this.#widths);
  }
}
