import type { KubeObject } from '@capstan/meta';

/** What there is to know of a Deployment that is waited for. Lists that may not be read are undefined. */
export interface RolloutSnapshot {
  readonly deployment: Deployment | undefined;
  /** Of the newest ReplicaSet. */
  readonly pods: readonly Pod[];
  /** Of those pods and the ReplicaSet, oldest first. */
  readonly events: readonly ObservedEvent[];
  /** How many nodes there are; undefined also where a pod has got one. */
  readonly nodes: number | undefined;
}

export interface Deployment extends KubeObject {
  readonly spec: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface Pod extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: object;
  readonly terminated?: Terminated;
}

interface Terminated {
  readonly exitCode?: number;
  readonly reason?: string;
  readonly message?: string;
}

export interface ObservedEvent extends KubeObject {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly involvedObject?: { readonly kind?: string; readonly name?: string };
}

/** Why a Deployment is not available yet. */
export interface Cause {
  readonly text: string;
  readonly hint: string;
  /** How long it has to last until waiting longer is in vain; 0: at once. */
  readonly certainAfterMs: number;
  /** The container whose log has more to read. */
  readonly log?: { readonly pod: string; readonly container: string; readonly previous: boolean } | undefined;
}

/** `available`, or how far it is and why not further. */
export type RolloutState =
  | { readonly isAvailable: true }
  | { readonly isAvailable: false; readonly progress: string; readonly cause: Cause | undefined };

const NEVER = Number.POSITIVE_INFINITY;
/** A service CA signs within seconds, and so does a controller that has to see a Deployment first. */
const SETTLE_MS = 30_000;
/** A container that ended this often does not recover by waiting. */
const CRASHES = 2;

const IMAGE_HINT = 'give an image that has the capstan command, and that its nodes can pull, with --image';
const LOOK_HINT = 'see its pods and events; to wait longer give --timeout';

/** How far a Deployment is, and what holds it up. */
export function rolloutState(snapshot: RolloutSnapshot): RolloutState {
  const { deployment } = snapshot;
  if (deployment === undefined) return { isAvailable: false, progress: 'it does not exist yet', cause: undefined };
  const { available, isObserved, old, updated, wanted } = replicasOf(deployment);
  if (isObserved && updated >= wanted && available >= wanted && old === 0) return { isAvailable: true };
  const cause = causeOf(snapshot, isObserved);
  const done = isObserved
    ? `${Math.max(0, Math.min(updated, available - old))} of ${wanted} replicas are available`
    : 'not observed yet';
  return { isAvailable: false, progress: cause === undefined ? done : `${done}: ${cause.text}`, cause };
}

function replicasOf({ metadata, spec, status = {} }: Deployment) {
  const { availableReplicas: available = 0, observedGeneration, updatedReplicas: updated = 0 } = status;
  return {
    wanted: spec.replicas ?? 1,
    available,
    updated,
    // Available replicas may be those of the version before: none of them may be left.
    old: Math.max(0, (status.replicas ?? updated) - updated),
    isObserved: observedGeneration === metadata.generation,
  };
}

function causeOf(snapshot: RolloutSnapshot, isObserved: boolean): Cause | undefined {
  if (snapshot.nodes === 0)
    return {
      text: 'the cluster has no nodes, its pods cannot run',
      hint: 'add a node, or give --no-wait to install it all the same',
      certainAfterMs: 0,
    };
  if (!isObserved)
    return {
      text: 'no controller has seen the Deployment',
      hint: 'start the controllers of the cluster, or give --no-wait to install it all the same',
      certainAfterMs: SETTLE_MS,
    };
  const causes = [...snapshot.pods.flatMap((pod) => podCause(pod, snapshot.events) ?? []), ...refusals(snapshot)];
  return causes.toSorted((one, other) => one.certainAfterMs - other.certainAfterMs)[0] ?? overdue(snapshot);
}

/** Pods that the server does not let be created: quotas, policies, webhooks. */
function refusals({ deployment }: RolloutSnapshot): readonly Cause[] {
  const failed = deployment?.status?.conditions?.find(
    ({ status, type }) => type === 'ReplicaFailure' && status === 'True',
  );
  if (failed === undefined) return [];
  return [
    {
      text: `its pods cannot be created: ${failed.message ?? failed.reason ?? 'ReplicaFailure'}`,
      hint: 'lift what refuses them in that namespace (quota, policy, webhook), or choose another with --namespace',
      certainAfterMs: SETTLE_MS,
    },
  ];
}

function overdue({ deployment }: RolloutSnapshot): Cause | undefined {
  const late = deployment?.status?.conditions?.find(({ reason }) => reason === 'ProgressDeadlineExceeded');
  if (late === undefined) return undefined;
  return { text: late.message ?? 'ProgressDeadlineExceeded', hint: LOOK_HINT, certainAfterMs: 0 };
}

function podCause(pod: Pod, events: readonly ObservedEvent[]): Cause | undefined {
  const { name = '' } = pod.metadata;
  const { conditions = [], containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const unscheduled = conditions.find(({ status, type }) => type === 'PodScheduled' && status === 'False');
  if (unscheduled !== undefined) return unschedulable(name, unscheduled);
  const own = events.filter(({ involvedObject, type }) => type === 'Warning' && involvedObject?.name === name);
  for (const container of [...initContainerStatuses, ...containerStatuses]) {
    const cause = containerCause(name, container) ?? unmounted(name, container, own) ?? unhealthy(name, container, own);
    if (cause !== undefined) return cause;
  }
  return containerStatuses.length > 0 ? undefined : lastEvent(name, own);
}

function lastEvent(pod: string, events: readonly ObservedEvent[]): Cause | undefined {
  const last = events.at(-1);
  if (last === undefined) return undefined;
  return { text: `pod ${pod}: ${eventText(last)}`, hint: LOOK_HINT, certainAfterMs: NEVER };
}

/** A cluster autoscaler may add the node that it waits for. */
function unschedulable(pod: string, { message, reason }: Condition): Cause {
  return {
    text: `pod ${pod} cannot be scheduled: ${message ?? reason ?? 'Unschedulable'}`,
    hint: 'add nodes that fit it, or make room; to wait longer give --timeout',
    certainAfterMs: NEVER,
  };
}

/** Pulls that fail for good; others are tried again. */
const LASTING_PULL_FAILURE = /not found|manifest unknown|unauthorized|authentication required|denied|forbidden/i;
const NO_COMMAND = /executable file not found|no such file or directory/i;

/** What keeps a container waiting: what to do about it, and when it is certain that waiting does not help. */
interface Waiting {
  readonly hint: string;
  readonly certainAfterMs: (message: string) => number;
}

const atOnceWhere =
  (pattern: RegExp) =>
  (message: string): number =>
    pattern.test(message) ? 0 : NEVER;
const STARTING: Waiting = { hint: IMAGE_HINT, certainAfterMs: atOnceWhere(NO_COMMAND) };
const WAITING: Readonly<Record<string, Waiting>> = {
  InvalidImageName: { hint: IMAGE_HINT, certainAfterMs: () => 0 },
  ErrImageNeverPull: { hint: IMAGE_HINT, certainAfterMs: () => 0 },
  // The first failure: the second is seen as a back-off.
  ErrImagePull: { hint: IMAGE_HINT, certainAfterMs: () => NEVER },
  ImagePullBackOff: { hint: IMAGE_HINT, certainAfterMs: atOnceWhere(LASTING_PULL_FAILURE) },
  CreateContainerConfigError: { hint: 'create what it names', certainAfterMs: () => SETTLE_MS },
  CreateContainerError: STARTING,
  RunContainerError: STARTING,
};

function containerCause(pod: string, container: ContainerStatus): Cause | undefined {
  const { name, state = {} } = container;
  const { terminated, waiting } = state;
  const { message = '', reason = '' } = waiting ?? {};
  const held = WAITING[reason];
  if (held !== undefined)
    return {
      text: containerText(pod, name, reason, message),
      hint: held.hint,
      certainAfterMs: held.certainAfterMs(message),
    };
  const hasFailed = terminated !== undefined && terminated.exitCode !== 0;
  if (!hasFailed && reason !== 'CrashLoopBackOff') return undefined;
  return crashed(pod, container, terminated ?? container.lastState?.terminated ?? {});
}

function crashed(
  pod: string,
  { name, restartCount = 0, state }: ContainerStatus,
  { exitCode, message = '', reason = '' }: Terminated,
): Cause {
  if (NO_COMMAND.test(message))
    return { text: containerText(pod, name, reason, message), hint: IMAGE_HINT, certainAfterMs: 0 };
  return {
    text: containerText(pod, name, `ended with exit code ${exitCode ?? 'unknown'}`, message),
    hint: 'its log has the reason',
    certainAfterMs: restartCount >= CRASHES ? 0 : NEVER,
    log: { pod, container: name, previous: state?.terminated === undefined },
  };
}

function containerText(pod: string, container: string, what: string, message: string): string {
  return `pod ${pod}, container ${container}: ${what}${message === '' ? '' : `: ${oneLine(message)}`}`;
}

/** A volume that is not there keeps a container in creation; the status does not name it, the event does. */
function unmounted(pod: string, { state }: ContainerStatus, events: readonly ObservedEvent[]): Cause | undefined {
  const failed = events.findLast(({ reason }) => reason === 'FailedMount');
  if (failed === undefined || state?.waiting === undefined) return undefined;
  const isCertificate = /secret "[^"]*-serving-cert" not found/.test(failed.message ?? '');
  return {
    text: `pod ${pod}: ${eventText(failed)}`,
    hint: isCertificate
      ? 'no service CA gives this cluster its serving certificates: run it again with --own-certificate'
      : 'create what it mounts',
    certainAfterMs: SETTLE_MS,
  };
}

function unhealthy(pod: string, container: ContainerStatus, events: readonly ObservedEvent[]): Cause | undefined {
  const failed = events.findLast(({ reason }) => reason === 'Unhealthy');
  const { name, ready, restartCount = 0, state } = container;
  if (failed === undefined || state?.running === undefined || ready === true) return undefined;
  return {
    text: `pod ${pod}, container ${name}: ${eventText(failed)}`,
    hint: 'its log has what it waits for; to wait longer give --timeout',
    certainAfterMs: restartCount >= CRASHES ? 0 : NEVER,
    log: { pod, container: name, previous: false },
  };
}

function eventText({ message = '', reason = '' }: ObservedEvent): string {
  return `${reason}: ${oneLine(message)}`;
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, '; ');
}
