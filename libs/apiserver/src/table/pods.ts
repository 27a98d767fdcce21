import { humanDuration } from '@capstan/meta';
import { containerCells, count, formatLabels, orElse, since, type ContainerView, type TemplateView } from './format.js';
import { printer, type RowCondition, type TablePrinter, type View } from './printer.js';

interface Terminated {
  readonly exitCode?: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly finishedAt?: string | null;
}

interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly started?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly waiting?: { readonly reason?: string };
    readonly running?: object;
    readonly terminated?: Terminated;
  };
  readonly lastState?: { readonly terminated?: Terminated };
}

interface Condition {
  readonly type: string;
  readonly status?: string;
  readonly reason?: string;
}

interface PodView extends View {
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: readonly ContainerView[];
    readonly initContainers?: readonly (ContainerView & { readonly restartPolicy?: string })[];
    readonly readinessGates?: readonly { readonly conditionType: string }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly podIP?: string;
    readonly podIPs?: readonly { readonly ip?: string }[];
    readonly nominatedNodeName?: string;
    readonly conditions?: readonly Condition[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

/** What the walk over the containers has found so far. */
interface Progress {
  reason: string;
  ready: number;
  restarts: number;
  /** Milliseconds since the epoch; 0 is never. */
  lastRestart: number;
}

function restartedAt(status: ContainerStatus): number {
  const finished = status.lastState?.terminated?.finishedAt;
  return finished === undefined || finished === null ? 0 : Date.parse(finished);
}

function countRestarts(progress: Progress, status: ContainerStatus): void {
  progress.restarts += status.restartCount ?? 0;
  if (status.lastState?.terminated !== undefined)
    progress.lastRestart = Math.max(progress.lastRestart, restartedAt(status));
}

function endReason({ reason, signal, exitCode }: Terminated): string {
  if (reason !== undefined && reason !== '') return reason;
  return signal !== undefined && signal !== 0 ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`;
}

/** Why this init container still holds the pod back. */
function initReason(status: ContainerStatus, index: number, total: number): string {
  const { terminated, waiting } = status.state ?? {};
  if (terminated !== undefined) return `Init:${endReason(terminated)}`;
  const reason = waiting?.reason ?? '';
  return reason !== '' && reason !== 'PodInitializing' ? `Init:${reason}` : `Init:${index}/${total}`;
}

function restartsAlways({ restartPolicy }: { readonly restartPolicy?: string }): boolean {
  return restartPolicy === 'Always';
}

function hasSucceeded({ state }: ContainerStatus): boolean {
  return state?.terminated !== undefined && count(state.terminated.exitCode) === 0;
}

function isTrue(conditions: readonly Condition[], wanted: string): boolean {
  return conditions.find(({ type }) => type === wanted)?.status === 'True';
}

/**
 * Walks the init containers up to the first that is not done. Side cars (init containers that restart always) count
 * into readiness once started, and their restarts alone survive into the running pod, hence the second tally.
 */
function walkInitContainers(pod: PodView, all: Progress, sidecars: Progress): boolean {
  const specs = pod.spec?.initContainers ?? [];
  const statuses = pod.status?.initContainerStatuses ?? [];
  for (let index = 0; index < statuses.length; index += 1) {
    const status = statuses[index];
    if (status === undefined) break;
    countRestarts(all, status);
    const isSidecar = specs.some((spec) => spec.name === status.name && restartsAlways(spec));
    if (isSidecar) countRestarts(sidecars, status);
    if (hasSucceeded(status)) continue;
    if (!isSidecar || status.started !== true) {
      all.reason = initReason(status, index, specs.length);
      return true;
    }
    if (status.ready === true) all.ready += 1;
  }
  return false;
}

function walkContainers(pod: PodView, progress: Progress): void {
  const statuses = pod.status?.containerStatuses ?? [];
  let running = false;
  let failure = '';
  // Backwards, so that the first container has the last word on the reason.
  for (const status of statuses.toReversed()) {
    countRestarts(progress, status);
    const { waiting, terminated, running: isRunning } = status.state ?? {};
    if (waiting?.reason) progress.reason = waiting.reason;
    else if (terminated !== undefined) {
      progress.reason = endReason(terminated);
      if (count(terminated.exitCode) !== 0) failure = progress.reason;
    } else if (status.ready === true && isRunning !== undefined) {
      running = true;
      progress.ready += 1;
    }
  }
  if (progress.reason === 'Completed') progress.reason = completionReason(pod, running, failure);
}

/** "Completed" is only one container's word; the others may run on or have failed. */
function completionReason(pod: PodView, running: boolean, failure: string): string {
  if (running && pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true)
    return 'Running';
  if (failure !== '') return failure;
  return running ? 'NotReady' : 'Completed';
}

function podProgress(pod: PodView): Progress {
  const { conditions = [], phase = '', reason } = pod.status ?? {};
  const progress: Progress = { reason: orElse(reason, phase), ready: 0, restarts: 0, lastRestart: 0 };
  if (conditions.some((condition) => condition.type === 'PodScheduled' && condition.reason === 'SchedulingGated')) {
    progress.reason = 'SchedulingGated';
  }
  const sidecars: Progress = { reason: '', ready: 0, restarts: 0, lastRestart: 0 };
  const initializing = walkInitContainers(pod, progress, sidecars);
  if (!initializing || isTrue(conditions, 'Initialized')) {
    progress.restarts = sidecars.restarts;
    progress.lastRestart = sidecars.lastRestart;
    walkContainers(pod, progress);
  }
  if (pod.metadata.deletionTimestamp !== undefined && pod.metadata.deletionTimestamp !== null) {
    if (reason === 'NodeLost') progress.reason = 'Unknown';
    else if (phase !== 'Succeeded' && phase !== 'Failed') progress.reason = 'Terminating';
  }
  return progress;
}

function containerCount(pod: PodView): number {
  let total = count(pod.spec?.containers?.length);
  for (const spec of pod.spec?.initContainers ?? []) if (restartsAlways(spec)) total += 1;
  return total;
}

function readinessGates(pod: PodView): string {
  const gates = pod.spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const conditions = pod.status?.conditions ?? [];
  const open = gates.filter(({ conditionType }) => isTrue(conditions, conditionType));
  return `${open.length}/${gates.length}`;
}

const completed: ReadonlyMap<string, readonly RowCondition[]> = new Map([
  [
    'Succeeded',
    [{ type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' }],
  ],
  ['Failed', [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }]],
]);

/** Pods. */
export const pods: TablePrinter = printer<PodView>(
  `Name
   Ready           | string  | Ready containers out of all that should run.
   Status          | string  | The phase, or what keeps the pod from it.
   Restarts        | string  | How often its containers were restarted, and when last.
   Age
   IP              | string+ | The first address of the pod.
   Node            | string+ | The node it was bound to.
   Nominated Node  | string+ | The node where room is being made for it.
   Readiness Gates | string+ | Readiness gates that are open, out of all.`,
  (pod, now) => {
    const { reason, ready, restarts, lastRestart } = podProgress(pod);
    const { metadata, spec, status } = pod;
    return [
      metadata.name ?? '',
      `${ready}/${containerCount(pod)}`,
      reason,
      restarts !== 0 && lastRestart > 0 ? `${restarts} (${humanDuration(now - lastRestart)} ago)` : `${restarts}`,
      since(metadata.creationTimestamp, now),
      orElse(status?.podIPs?.[0]?.ip ?? status?.podIP, '<none>'),
      orElse(spec?.nodeName, '<none>'),
      orElse(status?.nominatedNodeName, '<none>'),
      readinessGates(pod),
    ];
  },
  (pod) => completed.get(pod.status?.phase ?? ''),
);

interface PodTemplateView extends View {
  readonly template?: TemplateView;
}

/** Pod templates. */
export const podTemplates: TablePrinter = printer<PodTemplateView>(
  `Name
   Containers
   Images
   Pod Labels | string | The labels its pods would carry.`,
  ({ metadata, template }) => [
    metadata.name ?? '',
    ...containerCells(template?.spec?.containers),
    formatLabels(template?.metadata?.labels),
  ],
);
