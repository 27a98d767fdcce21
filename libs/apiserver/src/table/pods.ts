import { humanDuration } from '@capstan/meta';
import { formatLabels, containerCells, orElse, since, type ContainerView, type TemplateView } from './format.js';
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
  readonly state?: { readonly waiting?: { readonly reason?: string }; readonly running?: object; readonly terminated?: Terminated };
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
  if (status.lastState?.terminated !== undefined) progress.lastRestart = Math.max(progress.lastRestart, restartedAt(status));
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
    const isSidecar = specs.some(({ name, restartPolicy }) => name === status.name && restartPolicy === 'Always');
    if (isSidecar) countRestarts(sidecars, status);
    const terminated = status.state?.terminated;
    if (terminated !== undefined && (terminated.exitCode ?? 0) === 0) continue;
    if (isSidecar && status.started === true) {
      if (status.ready === true) all.ready += 1;
      continue;
    }
    all.reason = initReason(status, index, specs.length);
    return true;
  }
  return false;
}

function walkContainers(pod: PodView, progress: Progress): void {
  const statuses = pod.status?.containerStatuses ?? [];
  let running = false;
  let failure = '';
  // Backwards, so that the first container has the last word on the reason.
  for (let index = statuses.length - 1; index >= 0; index -= 1) {
    const status = statuses[index];
    if (status === undefined) break;
    countRestarts(progress, status);
    const { waiting, terminated } = status.state ?? {};
    if (waiting?.reason !== undefined && waiting.reason !== '') progress.reason = waiting.reason;
    else if (terminated !== undefined) {
      progress.reason = endReason(terminated);
      if ((terminated.exitCode ?? 0) !== 0) failure = progress.reason;
    } else if (status.ready === true && status.state?.running !== undefined) {
      running = true;
      progress.ready += 1;
    }
  }
  if (progress.reason !== 'Completed') return;
  const ready = pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
  if (running && ready) progress.reason = 'Running';
  else if (failure !== '') progress.reason = failure;
  else if (running) progress.reason = 'NotReady';
}

function podProgress(pod: PodView): Progress {
  const conditions = pod.status?.conditions;
  const phase = pod.status?.phase ?? '';
  const progress: Progress = { reason: orElse(pod.status?.reason, phase), ready: 0, restarts: 0, lastRestart: 0 };
  if (conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated') === true) {
    progress.reason = 'SchedulingGated';
  }
  const sidecars: Progress = { reason: '', ready: 0, restarts: 0, lastRestart: 0 };
  const initializing = walkInitContainers(pod, progress, sidecars);
  if (!initializing || conditions?.find(({ type }) => type === 'Initialized')?.status === 'True') {
    progress.restarts = sidecars.restarts;
    progress.lastRestart = sidecars.lastRestart;
    walkContainers(pod, progress);
  }
  if (pod.metadata.deletionTimestamp !== undefined && pod.metadata.deletionTimestamp !== null) {
    if (pod.status?.reason === 'NodeLost') progress.reason = 'Unknown';
    else if (phase !== 'Succeeded' && phase !== 'Failed') progress.reason = 'Terminating';
  }
  return progress;
}

function containerCount(pod: PodView): number {
  let count = pod.spec?.containers?.length ?? 0;
  for (const { restartPolicy } of pod.spec?.initContainers ?? []) if (restartPolicy === 'Always') count += 1;
  return count;
}

function readinessGates(pod: PodView): string {
  const gates = pod.spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const conditions = pod.status?.conditions;
  const open = gates.filter(({ conditionType }) => conditions?.find(({ type }) => type === conditionType)?.status === 'True');
  return `${open.length}/${gates.length}`;
}

const completed: ReadonlyMap<string, readonly RowCondition[]> = new Map([
  ['Succeeded', [{ type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' }]],
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
  ({ metadata, template }) => [metadata.name ?? '', ...containerCells(template?.spec?.containers), formatLabels(template?.metadata?.labels)],
);
