import type { HostedCluster } from '@capstan/api/hypershift';
import { controlPlaneNamespace, HOSTED_CLUSTERS, pauseOf, isInScope } from '@capstan/hosting';
import type { ReconcileContext, Request, Result } from '@capstan/kube';
import { Converger } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import { hostedClusterOwner } from './ownership.js';
import { attempt, concluded } from './conclusion.js';
import { reconcileDeletion } from './deletion/reconcile.js';
import type { HostedClusterParts, Scope } from './scope.js';
import { access } from './steps/access.js';
import { controlPlane, platformSettings } from './steps/control-plane.js';
import { accounts, copies, namespace } from './steps/foundations.js';
import { gather, NOTHING_SEEN } from './steps/gather.js';
import { identity } from './steps/identity.js';
import { release, validate } from './steps/judge.js';
import { clusterApiObjects, credentials } from './steps/machines.js';
import { endNamespace } from './steps/namespace-end.js';
import { pause } from './steps/pause.js';
import { components, workloads } from './steps/workloads.js';
import { writeStatus } from './steps/write-status.js';

type Step = (scope: Scope) => Promise<'stop' | void> | 'stop' | void;

/** Everything that is done for a HostedCluster, in order. A step is done again at will; one that says stop is the last. */
const STEPS: readonly Step[] = [
  identity,
  gather,
  pause,
  endNamespace,
  release,
  validate,
  unlessBlocked,
  namespace,
  copies,
  accounts,
  controlPlane,
  platformSettings,
  credentials,
  clusterApiObjects,
  workloads,
  components,
  access,
];

function unlessBlocked({ blocked }: Scope): 'stop' | void {
  if (blocked !== undefined) return 'stop';
}

/** Brings one HostedCluster to what its spec says. Status is written once, at the end, also when a step failed. */
export async function reconcileHostedCluster(
  parts: HostedClusterParts,
  request: Request,
  { signal }: Pick<ReconcileContext, 'signal'>,
): Promise<Result | void> {
  const hostedCluster = await find(parts, request);
  if (hostedCluster === undefined || !isInScope(hostedCluster, parts.scope)) return;
  const scope = scopeOf(parts, hostedCluster, signal);
  if ((hostedCluster.metadata.deletionTimestamp ?? undefined) !== undefined) return reconcileDeletion(scope);
  return concluded(scope, await attempt(() => inOrder(scope)), () => writeStatus(scope));
}

async function inOrder(scope: Scope): Promise<void> {
  for (const step of STEPS) if ((await step(scope)) === 'stop') return;
}

async function find(
  { cache }: HostedClusterParts,
  { name, namespace: at }: Request,
): Promise<HostedCluster | undefined> {
  return cache.get<HostedCluster>(HOSTED_CLUSTERS, name, { namespace: at }).catch(ignoreNotFound);
}

function scopeOf(parts: HostedClusterParts, hostedCluster: HostedCluster, signal: AbortSignal): Scope {
  const { name = '', namespace: beside = '' } = hostedCluster.metadata;
  const owner = `${beside}/${name}`;
  const at = controlPlaneNamespace(beside, name);
  const nowMs = parts.clock.now();
  return {
    parts,
    converger: new Converger({
      client: parts.client,
      reader: parts.cache,
      owner: hostedClusterOwner(owner, at),
      signal,
    }),
    signal,
    owner,
    namespace: at,
    nowMs,
    pause: pauseOf(hostedCluster.spec?.pausedUntil, nowMs),
    hostedCluster,
    platform: parts.platforms.find(hostedCluster.spec?.platform.type ?? ''),
    seen: NOTHING_SEEN,
    controlPlane: undefined,
    release: undefined,
    guestRelease: undefined,
    deployments: new Map(),
    access: undefined,
    findings: new Map(),
    blocked: undefined,
    undone: undefined,
    lookAgainMs: undefined,
  };
}
