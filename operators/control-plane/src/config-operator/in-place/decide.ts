/** A node of a pool that is upgraded in place, and its Machine. */
export interface PoolNode {
  readonly machine: string;
  readonly node: string;
  readonly currentConfig: string | undefined;
  readonly desiredConfig: string | undefined;
  /** Whether the node reports that it applied its desired configuration. */
  readonly isDone: boolean;
  /** The error that the node reports, if any. */
  readonly trouble: string | undefined;
  readonly isReady: boolean;
  readonly isUnschedulable: boolean;
  /** What we wrote on it when its turn came; undefined before. */
  readonly turn: Turn | undefined;
  /** The release that its Machine reports. */
  readonly release: string | undefined;
  /** How long it may be drained; undefined for as long as it takes. */
  readonly drainTimeoutMs: number | undefined;
}

/** Written on a node when its turn comes, so that it is known after a restart whose cordon it is. */
export interface Turn {
  readonly target: string;
  /** Another client had cordoned it, so it stays cordoned. */
  readonly wasCordoned: boolean;
  /** Milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** What is wanted of the nodes of a pool. */
export interface PoolTarget {
  readonly config: string;
  readonly release: string;
  readonly maxUnavailable: number;
}

/** What is to be done about a node. */
export type NodeDecision =
  | { readonly do: 'begin'; readonly node: PoolNode }
  | { readonly do: 'drain'; readonly node: PoolNode; readonly isForced: boolean }
  | { readonly do: 'await'; readonly node: PoolNode }
  | { readonly do: 'finish'; readonly node: PoolNode }
  | { readonly do: 'record'; readonly node: PoolNode };

/** What is to be done about a pool. */
export interface PoolDecision {
  readonly nodes: readonly NodeDecision[];
  readonly isComplete: boolean;
  /** The progress as a message; undefined when there is none to report. */
  readonly progress: string | undefined;
  readonly failure: string | undefined;
}

/** Decides about the nodes of a pool: those whose turn it is go on, and others begin as long as enough are available. */
export function decidePool(nodes: readonly PoolNode[], target: PoolTarget, nowMs: number): PoolDecision {
  const sorted = nodes.toSorted((a, b) => (a.node < b.node ? -1 : 1));
  const decisions = sorted.flatMap((node) => decideNode(node, target, nowMs));
  const waiting = sorted.filter((node) => isBehind(node, target) && node.turn === undefined);
  const unavailable = sorted.filter((node) => node.turn !== undefined || (!node.isReady && !waiting.includes(node)));
  // A node that is no use as it is costs nothing: it goes first.
  const lost = waiting.filter(({ isReady }) => !isReady);
  const free = Math.max(0, target.maxUnavailable - unavailable.length - lost.length);
  const begun = [
    ...lost.slice(0, Math.max(0, target.maxUnavailable - unavailable.length)),
    ...waiting.filter(({ isReady }) => isReady).slice(0, free),
  ];
  const behind = sorted.filter((node) => isBehind(node, target) || node.turn !== undefined);
  const troubles = behind.flatMap(({ node, trouble }) => (trouble === undefined ? [] : [`Node ${node}: ${trouble}`]));
  return {
    nodes: [...decisions, ...begun.map((node): NodeDecision => ({ do: 'begin', node }))],
    isComplete: behind.length === 0,
    progress:
      behind.length === 0
        ? undefined
        : `Nodepool update in progress. Target Config version: ${target.config}. Total Nodes: ${sorted.length}. Upgraded: ${sorted.length - behind.length}`,
    failure: troubles.length === 0 ? undefined : troubles.join('; '),
  };
}

function isBehind({ currentConfig }: PoolNode, { config }: PoolTarget): boolean {
  return currentConfig !== config;
}

/** What goes on with a node whose turn it is or was; nothing for those that wait. */
function decideNode(node: PoolNode, target: PoolTarget, nowMs: number): readonly NodeDecision[] {
  const { desiredConfig, drainTimeoutMs, isDone, release, turn } = node;
  if (!isBehind(node, target) && (isDone || turn === undefined)) {
    if (turn !== undefined) return [{ do: 'finish', node }];
    return release === target.release ? [] : [{ do: 'record', node }];
  }
  if (turn === undefined) return [];
  if (desiredConfig === target.config && turn.target === target.config) return [{ do: 'await', node }];
  const isForced = drainTimeoutMs !== undefined && nowMs - turn.sinceMs >= drainTimeoutMs;
  return [{ do: 'drain', node, isForced }];
}
