import type { Machine } from '@capstan/api/cluster-api';
import type { NodePoolStatus } from '@capstan/api/hypershift';
import { getCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import type { Pool } from '../snapshot.js';
import { isInPlace, releaseVersionOf } from './current-version.js';

type NodesInfo = NonNullable<NodePoolStatus['nodesInfo']>;
type NodeVersion = NodesInfo['nodeVersions'][number];

/** What the schema takes for a version; anything else is left out rather than have the whole status refused. */
const KUBELET = /^v?\d+\.\d+\.\d+/;
const RELEASE = /^\d+\.\d+\.\d+/;

function isHealthy({ status }: Machine): boolean {
  return getCondition(status?.conditions as readonly Condition[] | undefined, 'NodeHealthy')?.status === 'True';
}

function versionsOf(pool: Pool, machine: Machine): Pick<NodeVersion, 'kubeletVersion' | 'ocpVersion'> {
  return {
    kubeletVersion: machine.status?.nodeInfo?.kubeletVersion ?? '',
    ocpVersion: releaseVersionOf(machine, isInPlace(pool)) ?? '',
  };
}

/** How many nodes of a pool run what; undefined when there are none. */
export function nodesInfo(pool: Pool, machines: readonly Machine[]): NodesInfo | undefined {
  const counts = new Map<string, { -readonly [K in keyof NodeVersion]: NodeVersion[K] }>();
  for (const machine of machines) {
    const { kubeletVersion, ocpVersion } = versionsOf(pool, machine);
    if (!KUBELET.test(kubeletVersion) || !RELEASE.test(ocpVersion)) continue;
    const key = `${ocpVersion} ${kubeletVersion}`;
    let count = counts.get(key);
    if (count === undefined)
      counts.set(key, (count = { ocpVersion, kubeletVersion, readyNodeCount: 0, unreadyNodeCount: 0 }));
    if (isHealthy(machine)) count.readyNodeCount += 1;
    else count.unreadyNodeCount += 1;
  }
  if (counts.size === 0) return undefined;
  return { nodeVersions: [...counts.keys()].toSorted().flatMap((key) => counts.get(key) ?? []) };
}
