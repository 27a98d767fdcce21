import { canonicalHash, deepEqual } from '@capstan/meta';
import { isSidecar, specOf } from '../workload/pod-spec.js';
import type { Container } from '../workload/pod-spec.js';
import type { Pod, PodCondition } from '../workload/resources.js';
import { imageName } from './program.js';

export interface Terminated {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly containerID?: string;
}

/** The state of a container, as its status has it. */
export interface ContainerState {
  readonly waiting?: { readonly reason: string; readonly message?: string };
  readonly running?: { readonly startedAt: string };
  readonly terminated?: Terminated;
}

/** How a container is. */
export interface ContainerView {
  readonly spec: Container;
  readonly state: ContainerState;
  readonly lastState: ContainerState;
  readonly restartCount: number;
  readonly containerId: string;
  readonly ready: boolean;
  readonly started: boolean;
}

/** How a pod is. */
export interface PodView {
  readonly pod: Pod;
  readonly containers: readonly ContainerView[];
  readonly initContainers: readonly ContainerView[];
  readonly hostIp: string;
  /** Empty until the pod is on the network. */
  readonly podIp: string;
  readonly startTime: string;
  /** No container will run again. */
  readonly terminal: boolean;
  /** Why the pod was ended by its node. */
  readonly failure?: { readonly reason: string; readonly message: string } | undefined;
  readonly now: string;
}

type PodStatus = NonNullable<Pod['status']>;
type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** The phase that the states of the containers amount to. */
export function podPhase({ containers, failure, initContainers, pod, terminal }: PodView): Phase {
  if (failure !== undefined) return 'Failed';
  const { restartPolicy = 'Always' } = specOf(pod);
  const init = initContainers.find(({ spec, state }) => !isSidecar(spec) && state.terminated?.exitCode !== 0);
  if (init === undefined) return startedPhase(containers, restartPolicy, terminal);
  const isOver = terminal || (init.state.terminated !== undefined && restartPolicy === 'Never');
  return isOver ? 'Failed' : 'Pending';
}

/** Once the init containers are through. */
function startedPhase(containers: readonly ContainerView[], restartPolicy: string, terminal: boolean): Phase {
  const stopped = containers.filter(({ lastState, state }) => ended(state) ?? (state.waiting && ended(lastState)));
  const running = containers.filter(({ state }) => state.running !== undefined).length;
  if (stopped.length + running < containers.length) return terminal ? 'Failed' : 'Pending';
  if (running > 0) return 'Running';
  if (restartPolicy === 'Always' && !terminal) return 'Running';
  if (stopped.every(({ state }) => state.terminated?.exitCode === 0)) return 'Succeeded';
  return restartPolicy === 'Never' || terminal ? 'Failed' : 'Running';
}

function ended(state: ContainerState): Terminated | undefined {
  return state.terminated;
}

interface Verdict {
  readonly holds: boolean;
  readonly reason?: string;
  readonly message?: string;
}

const HOLDS: Verdict = { holds: true };

function named(names: readonly string[]): string {
  return `[${names.join(' ')}]`;
}

function containersReady(view: PodView, phase: Phase): Verdict {
  if (phase === 'Succeeded') return { holds: false, reason: 'PodCompleted' };
  if (phase === 'Failed') return { holds: false, reason: 'PodFailed' };
  const sidecars = view.initContainers.filter(({ spec }) => isSidecar(spec));
  const unready = [...sidecars, ...view.containers].filter(({ ready }) => !ready).map(({ spec }) => spec.name);
  if (unready.length === 0) return HOLDS;
  return { holds: false, reason: 'ContainersNotReady', message: `containers with unready status: ${named(unready)}` };
}

function podReady(view: PodView, ready: Verdict): Verdict {
  if (!ready.holds) return ready;
  const messages: string[] = [];
  for (const { conditionType } of specOf(view.pod).readinessGates ?? []) {
    const found = view.pod.status?.conditions?.find(({ type }) => type === conditionType);
    if (found === undefined)
      messages.push(`corresponding condition of pod readiness gate "${conditionType}" does not exist.`);
    else if (found.status !== 'True')
      messages.push(`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`);
  }
  if (messages.length === 0) return HOLDS;
  return { holds: false, reason: 'ReadinessGatesNotReady', message: messages.join(', ') };
}

function initialized({ containers, initContainers }: PodView, phase: Phase): Verdict {
  if (phase === 'Succeeded') return { holds: true, reason: 'PodCompleted' };
  // Once one of the others has run the pod stays initialized, whatever becomes of a sidecar.
  if (containers.some(({ lastState, state }) => state.running ?? ended(state) ?? ended(lastState))) return HOLDS;
  const incomplete = initContainers
    .filter(({ ready, spec, started }) => !(isSidecar(spec) ? started : ready))
    .map(({ spec }) => spec.name);
  if (incomplete.length === 0) return HOLDS;
  const message = `containers with incomplete status: ${named(incomplete)}`;
  return { holds: false, reason: 'ContainersNotInitialized', message };
}

function condition(type: string, { holds, message, reason }: Verdict, { now, pod }: PodView): PodCondition {
  const status = holds ? 'True' : 'False';
  const before = pod.status?.conditions?.find((candidate) => candidate.type === type);
  const { generation } = pod.metadata;
  return {
    type,
    status,
    lastProbeTime: null,
    lastTransitionTime: before?.status === status ? (before.lastTransitionTime ?? now) : now,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  } as PodCondition;
}

/** Why an ephemeral container does nothing. */
export const NO_EPHEMERAL_CONTAINERS = 'ephemeral containers are not run by this node';

/** They end before they start, so that a waiting caller learns it. */
function ephemeralStatuses({ pod, startTime }: PodView): object {
  const { ephemeralContainers = [] } = specOf(pod);
  if (ephemeralContainers.length === 0) return {};
  const terminated = {
    exitCode: 128,
    reason: 'ContainerCannotRun',
    message: NO_EPHEMERAL_CONTAINERS,
    startedAt: startTime,
    finishedAt: startTime,
  };
  const view = { lastState: {}, restartCount: 0, containerId: '', ready: false, started: false };
  const statuses = ephemeralContainers.map((spec) => containerStatus({ ...view, spec, state: { terminated } }));
  return { ephemeralContainerStatuses: statuses };
}

/** The status the kubelet reports of a pod, without conditions of others. */
export function podStatus(view: PodView): PodStatus {
  const phase = podPhase(view);
  const { failure, hostIp, podIp, startTime } = view;
  const ready = containersReady(view, phase);
  const { generation } = view.pod.metadata;
  return {
    phase,
    conditions: [
      condition('PodReadyToStartContainers', { holds: podIp !== '' && !view.terminal }, view),
      condition('Initialized', initialized(view, phase), view),
      condition('Ready', podReady(view, ready), view),
      condition('ContainersReady', ready, view),
      condition('PodScheduled', HOLDS, view),
    ],
    ...(failure === undefined ? {} : failure),
    hostIP: hostIp,
    hostIPs: [{ ip: hostIp }],
    ...(podIp === '' ? {} : { podIP: podIp, podIPs: [{ ip: podIp }] }),
    startTime,
    ...(view.initContainers.length === 0 ? {} : { initContainerStatuses: view.initContainers.map(containerStatus) }),
    containerStatuses: view.containers.map(containerStatus),
    ...ephemeralStatuses(view),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
}

const IMAGE_IDS = new Map<string, string>();
const REMEMBERED_IMAGES = 1000;

/** A digest nobody pushed, but always the same for the same image. */
function imageId(image: string): string {
  if (image.includes('@')) return image;
  let id = IMAGE_IDS.get(image);
  if (id === undefined) {
    if (IMAGE_IDS.size >= REMEMBERED_IMAGES) IMAGE_IDS.clear();
    id = `${imageName(image)}@sha256:${canonicalHash(image).slice(0, 64).padEnd(64, '0')}`;
    IMAGE_IDS.set(image, id);
  }
  return id;
}

function containerStatus(view: ContainerView): NonNullable<PodStatus['containerStatuses']>[number] {
  const { containerId, lastState, ready, restartCount, spec, started, state } = view;
  const image = spec.image ?? '';
  return {
    ...(containerId === '' ? {} : { containerID: containerId }),
    image,
    imageID: containerId === '' ? '' : imageId(image),
    lastState,
    name: spec.name,
    ready,
    restartCount,
    started,
    state,
  } as NonNullable<PodStatus['containerStatuses']>[number];
}

/** The fields whose lists are merged with the existing ones by default. */
const MERGED_LISTS: ReadonlySet<string> = new Set(['hostIPs', 'podIPs']);

/** The patch that brings the status of a pod to the wanted one; undefined when nothing differs. */
export function statusPatch(current: PodStatus | undefined, wanted: PodStatus): Record<string, unknown> | undefined {
  const patch: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(wanted)) {
    if (field === 'conditions') continue;
    const before = current?.[field];
    if (deepEqual(before, value)) continue;
    patch[field] = MERGED_LISTS.has(field) && before !== undefined ? [{ $patch: 'replace' }, ...(value as [])] : value;
  }
  const conditions = changedConditions(current?.conditions ?? [], wanted.conditions ?? []);
  if (conditions.length > 0) patch['conditions'] = conditions;
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function changedConditions(current: readonly PodCondition[], wanted: readonly PodCondition[]): unknown[] {
  const changed: unknown[] = [];
  for (const each of wanted) {
    const before = current.find(({ type }) => type === each.type);
    if (before === undefined) changed.push(each);
    // Conditions are merged field by field: what is to go has to be named.
    else if (!sameCondition(before, each))
      changed.push({ ...each, reason: each.reason ?? null, message: each.message ?? null });
  }
  return changed;
}

function sameCondition(a: PodCondition, b: PodCondition): boolean {
  return (
    a.status === b.status &&
    (a.reason ?? '') === (b.reason ?? '') &&
    (a.message ?? '') === (b.message ?? '') &&
    a.observedGeneration === b.observedGeneration
  );
}
