import { ApiError, apiErrors, compileLabelSelector, failure } from '@capstan/meta';
import type { KubeObject, LabelSelector, StatusDetails } from '@capstan/meta';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
}

/** What evictions read and write of a budget. */
export interface Budget extends KubeObject {
  spec?: { selector?: LabelSelector | null; unhealthyPodEvictionPolicy?: string };
  status?: {
    observedGeneration?: number;
    disruptionsAllowed?: number;
    currentHealthy?: number;
    desiredHealthy?: number;
    disruptedPods?: Record<string, string>;
    conditions?: Condition[];
  };
}

interface PodParts {
  readonly status?: { readonly phase?: string; readonly conditions?: readonly Condition[] };
}

/** How a pod may be evicted. */
export interface EvictionDecision {
  /** Whose budget it costs, if anybody's. */
  readonly spend?: Budget;
  /** It goes because of the state it is in: it must still be in it when it goes. */
  readonly isPinned: boolean;
}

/** More evictions than that, granted and not seen by the controller, mean that there is no controller. */
const MAX_DISRUPTED_PODS = 2000;
const REFUSED = "Cannot evict pod as it would violate the pod's disruption budget.";
const RETRY_SECONDS = 10;

/** Decides about an eviction; throws the refusal. `budgets` are those of the namespace. */
export function decideEviction(pod: KubeObject, budgets: readonly Budget[]): EvictionDecision {
  const { phase } = (pod as PodParts).status ?? {};
  const isLeaving = pod.metadata.deletionTimestamp != null;
  if (phase === 'Succeeded' || phase === 'Failed' || isLeaving) return { isPinned: false };
  if (phase === 'Pending') return { isPinned: true };
  const [budget, second] = budgets.filter((each) => guards(each, pod));
  if (second !== undefined) throw severalBudgets();
  if (budget === undefined) return { isPinned: false };
  if (!isReady(pod) && maySpareIll(budget)) return { isPinned: true };
  requireAllowance(budget);
  return { spend: budget, isPinned: false };
}

function guards({ spec }: Budget, pod: KubeObject): boolean {
  return compileLabelSelector(spec?.selector).matches(pod.metadata.labels ?? {});
}

function isReady(pod: KubeObject): boolean {
  const ready = (pod as PodParts).status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True';
}

/** An ill pod counts for nothing; without it the others are as healthy as before. */
function maySpareIll({ spec, status }: Budget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

/** Refuses what the budget does not allow now. */
export function requireAllowance(budget: Budget): void {
  const { metadata, status = {} } = budget;
  const { name = '', generation = 0 } = metadata;
  const { disruptedPods = {}, disruptionsAllowed = 0, observedGeneration = 0 } = status;
  if (observedGeneration < generation)
    throw refusal(`The disruption budget ${name} is still being processed by the server.`, RETRY_SECONDS);
  const forbidden = (reason: string): Error =>
    apiErrors.forbidden({ group: 'policy', resource: 'poddisruptionbudget' }, name, reason);
  if (disruptionsAllowed < 0) throw forbidden('pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > MAX_DISRUPTED_PODS)
    throw forbidden('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (disruptionsAllowed === 0) throw refusal(usedUpText(name, status));
}

function usedUpText(name: string, status: NonNullable<Budget['status']>): string {
  const { conditions = [], currentHealthy = 0, desiredHealthy = 0 } = status;
  const condition = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const { message = '', reason = '' } = condition?.status === 'False' ? condition : {};
  const text = `The disruption budget ${name}`;
  if (message !== '' && reason === 'SyncFailed')
    return `${text} does not allow evicting pods currently because it failed sync: ${message}`;
  if (currentHealthy <= desiredHealthy)
    return `${text} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  return `${text} does not allow evicting pods currently${message === '' ? '' : ` (${reason}): ${message}`}`;
}

function refusal(message: string, retryAfterSeconds?: number): ApiError {
  const details: StatusDetails = {
    causes: [{ reason: 'DisruptionBudget', message }],
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return new ApiError(failure(429, 'TooManyRequests', REFUSED, details));
}

function severalBudgets(): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    code: 500,
  });
}

/** The budget's status after a grant. The controller counts again when it sees the pod go. */
export function spent(budget: Budget, podName: string, now: string): NonNullable<Budget['status']> {
  const { generation = 0 } = budget.metadata;
  const { conditions = [], disruptedPods, disruptionsAllowed = 0, ...status } = budget.status ?? {};
  const allowed = disruptionsAllowed - 1;
  const next = { ...status, disruptionsAllowed: allowed, disruptedPods: { ...disruptedPods, [podName]: now } };
  if (allowed > 0) return conditions.length === 0 ? next : { ...next, conditions };
  const before = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: generation,
    lastTransitionTime: before?.status === 'False' ? (before.lastTransitionTime ?? now) : now,
    reason: 'InsufficientPods',
    message: '',
  };
  return { ...next, conditions: [...conditions.filter((each) => each !== before), condition] };
}
