import type { Machine } from '@capstan/api/cluster-api';
import type { Condition, KubeObject } from '@capstan/meta';

/** The conditions of a machine that this operator reads. */
const READ_CONDITIONS: ReadonlySet<string> = new Set(['Deleting', 'InfrastructureReady', 'NodeHealthy', 'Ready']);

/** Whether an object is a Machine of Cluster API. */
export function isMachine({ apiVersion, kind }: KubeObject): boolean {
  return kind === 'Machine' && apiVersion.startsWith('cluster.x-k8s.io/');
}

/**
 * As much of a Machine as pools need: there are more of them than of anything else, and most of each is for others. What is
 * left out is never written back, because patches say only what differs.
 */
export function trimMachine(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  const { spec, status } = object as unknown as Machine;
  const { nodeInfo, nodeRef } = status ?? {};
  const conditions = ((status?.conditions ?? []) as readonly Condition[])
    .filter(({ type }) => READ_CONDITIONS.has(type))
    .map(({ message, reason, status: answer, type }) => ({ type, status: answer, reason, message }));
  return Object.freeze({
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: Object.freeze(metadata),
    spec: { bootstrap: spec?.bootstrap, infrastructureRef: spec?.infrastructureRef, version: spec?.version },
    status: {
      conditions,
      ...(nodeRef === undefined ? {} : { nodeRef }),
      ...(nodeInfo === undefined ? {} : { nodeInfo: { kubeletVersion: nodeInfo.kubeletVersion } }),
    },
  });
}
