import type { HostedCluster } from '@capstan/api/hypershift';
import { HOSTED_CLUSTERS } from '@capstan/hosting';
import type { ReconcileContext, Request, Result } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import { acknowledge } from './acknowledge.js';
import { correct } from './correct.js';
import { attempt, finish } from './finish.js';
import { reconcileDeletion } from './deletion/reconcile.js';
import { newState } from './state.js';
import type { HostedClusterDependencies, State } from './state.js';
import { access } from './steps/access.js';
import { controlPlane, platformSettings } from './steps/control-plane.js';
import { accounts, copies, namespace } from './steps/foundations.js';
import { gather } from './gather.js';
import { identity } from './steps/identity.js';
import { operatorImage } from './steps/operator-image.js';
import { release } from './steps/release.js';
import { validate } from './steps/validate.js';
import { clusterApiObjects, credentials } from './steps/machines.js';
import { finishNamespace } from './steps/namespace-termination.js';
import { pause } from './steps/pause.js';
import { proxies } from './steps/proxies.js';
import { components, workloads } from './steps/workloads.js';
import { writeStatus } from './steps/write-status.js';

type Step = (state: State) => Promise<'stop' | void> | 'stop' | void;

/** The steps of a reconcile, in order. Each is idempotent; one that returns `stop` is the last. */
const STEPS: readonly Step[] = [
  identity,
  gather,
  pause,
  finishNamespace,
  release,
  validate,
  operatorImage,
  unlessBlocked,
  namespace,
  copies,
  accounts,
  controlPlane,
  platformSettings,
  credentials,
  clusterApiObjects,
  workloads,
  proxies,
  components,
  access,
];

function unlessBlocked({ blocked }: State): 'stop' | void {
  if (blocked !== undefined) return 'stop';
}

/** Reconciles one HostedCluster. Status is written once, at the end, also when a step failed. */
export async function reconcileHostedCluster(
  dependencies: HostedClusterDependencies,
  request: Request,
  { signal }: Pick<ReconcileContext, 'signal'>,
): Promise<Result | void> {
  const { turns } = dependencies;
  const found = await find(dependencies, request);
  if (found === undefined) return turns.forget(request);
  const turn = await turns.of(found, signal);
  switch (turn.do) {
    case 'leave':
      return;
    case 'wait':
      return { requeueAfterMs: turn.afterMs };
    case 'acknowledge':
      return acknowledge(dependencies, found, { lock: turn.lock, signal });
    case 'decide': {
      const corrected = await correct(dependencies, found, { state: turn.state, signal });
      return corrected === undefined ? { requeueAfterMs: UNDECIDED_MS } : reconcileOwn(dependencies, corrected, signal);
    }
    case 'reconcile':
      return reconcileOwn(dependencies, found, signal);
  }
}

/** Objects of Cluster API are not watched for this: they may be deleted by hand. */
const UNDECIDED_MS = 30_000;

async function reconcileOwn(
  dependencies: HostedClusterDependencies,
  hostedCluster: HostedCluster,
  signal: AbortSignal,
): Promise<Result | void> {
  const state = newState(dependencies, hostedCluster, signal);
  if ((hostedCluster.metadata.deletionTimestamp ?? undefined) !== undefined) return reconcileDeletion(state);
  return finish(state, await attempt(() => inOrder(state)), () => writeStatus(state));
}

async function inOrder(state: State): Promise<void> {
  for (const step of STEPS) if ((await step(state)) === 'stop') return;
}

async function find(
  { cache }: HostedClusterDependencies,
  { name, namespace: at }: Request,
): Promise<HostedCluster | undefined> {
  return cache.get<HostedCluster>(HOSTED_CLUSTERS, name, { namespace: at }).catch(ignoreNotFound);
}
