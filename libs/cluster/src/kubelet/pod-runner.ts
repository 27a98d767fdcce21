import type { Timer } from '@capstan/meta';
import { errorText, sleep, timestamp } from '@capstan/kube';
import { isSidecar, specOf } from '../workload/pod-spec.js';
import type { Container } from '../workload/pod-spec.js';
import type { Pod } from '../workload/resources.js';
import { ContainerRunner } from './container.js';
import type { FormerContainer } from './container.js';
import type { ContainerHost } from './host.js';
import { podStatus } from './pod-status.js';
import type { ContainerState } from './pod-status.js';

export interface PodRunnerOptions {
  readonly host: ContainerHost;
  readonly hostIp: string;
  /** The pod is over and has been asked to go. */
  gone(runner: PodRunner): void;
}

const MOUNT_RETRY_MS = 500;
const LONGEST_MOUNT_RETRY_MS = 120_000;
/** What containers of a pod without any grace are given. */
const LEAST_GRACE_MS = 2000;

/** Runs one pod on its node, from its first container to its last. */
export class PodRunner {
  readonly uid: string;
  readonly #options: PodRunnerOptions;
  readonly #inits: ContainerRunner[];
  readonly #apps: ContainerRunner[];
  readonly #ending = new AbortController();
  readonly #startTime: string;
  readonly #mounted: Promise<void>;
  #isMounted = false;
  /** No container will run again. */
  #terminal = false;
  #failure: { readonly reason: string; readonly message: string } | undefined;
  #terminating = false;
  #killTimer: Timer | undefined;
  #killAtMs = Number.POSITIVE_INFINITY;
  #deadline: Timer | undefined;
  #stopped: Promise<void> | undefined;
  #unstick: (() => void) | undefined;

  constructor(options: PodRunnerOptions) {
    const { host } = options;
    const pod = host.pod();
    this.uid = pod.metadata.uid ?? '';
    this.#options = options;
    this.#startTime = (pod.status?.['startTime'] as string | undefined) ?? timestamp(host.clock);
    const { containers, initContainers = [] } = specOf(pod);
    const waiting = initContainers.length === 0 ? 'ContainerCreating' : 'PodInitializing';
    this.#inits = initContainers.map(
      (spec) =>
        new ContainerRunner(host, spec, isSidecar(spec) ? 'sidecar' : 'init', 'PodInitializing', former(pod, spec)),
    );
    this.#apps = containers.map((spec) => new ContainerRunner(host, spec, 'app', waiting, former(pod, spec)));
    this.#mounted = this.#mount();
    this.#setDeadline();
    void this.#run().catch((error: unknown) => {
      host.logger.error('pod failed', { pod: pod.metadata.name, error: errorText(error) });
    });
  }

  /** Every container, sidecars and init containers first. */
  get containers(): readonly ContainerRunner[] {
    return [...this.#inits, ...this.#apps];
  }

  /** What the status of the pod is to say. */
  status(): NonNullable<Pod['status']> {
    const { host, hostIp } = this.#options;
    return podStatus({
      pod: host.pod(),
      containers: this.#apps.map((runner) => runner.view()),
      initContainers: this.#inits.map((runner) => runner.view()),
      hostIp,
      podIp: this.#isMounted ? host.network.ip : '',
      startTime: this.#startTime,
      terminal: this.#terminal,
      failure: this.#failure,
      now: timestamp(host.clock),
    });
  }

  /** Takes note of a new state of the pod. */
  update(): void {
    const pod = this.#options.host.pod();
    if (pod.metadata.deletionTimestamp != null) {
      void this.terminate(Date.parse(pod.metadata.deletionTimestamp));
      return;
    }
    const { containers, initContainers = [] } = specOf(pod);
    const specs = new Map([...initContainers, ...containers].map((spec) => [spec.name, spec]));
    for (const runner of this.containers) {
      const spec = specs.get(runner.name);
      if (spec !== undefined) runner.update(spec);
    }
    this.#setDeadline();
    this.#options.host.changed();
  }

  /** Stops all containers, by force at the given time, and reports that the pod may be deleted. */
  async terminate(killAtMs: number): Promise<void> {
    this.#killAtMs = Math.min(this.#killAtMs, killAtMs);
    if (this.#terminating) {
      // A shorter grace period than before, or no longer a reason to be stuck.
      if (this.#killTimer !== undefined) this.#armKill();
      this.#unstick?.();
      return;
    }
    this.#terminating = true;
    await this.#whileStuck();
    this.#armKill();
    await this.#stopAll();
    this.#options.gone(this);
  }

  /** Ends all of it at once, without a word to the server; leaves no timer behind. */
  kill(): void {
    this.#ending.abort();
    this.#deadline?.cancel();
    this.#killTimer?.cancel();
    this.#killTimer = undefined;
    for (const container of this.containers) container.kill();
  }

  async #whileStuck(): Promise<void> {
    const { faults, nodeName, pod } = this.#options.host;
    while (faults.find('stuck-terminating', { node: nodeName, pod: pod() }) !== undefined) {
      let unwatch: (() => void) | undefined;
      await new Promise<void>((resolve) => {
        this.#unstick = resolve;
        unwatch = faults.watch(resolve);
      });
      unwatch?.();
    }
    this.#unstick = undefined;
  }

  #stopAll(): Promise<void> {
    this.#stopped ??= this.#stopOnce();
    return this.#stopped;
  }

  async #stopOnce(): Promise<void> {
    this.#ending.abort();
    this.#deadline?.cancel();
    await Promise.all([...this.#apps, ...this.#inits.filter(({ kind }) => kind === 'init')].map((each) => each.stop()));
    for (const sidecar of this.#inits.filter(({ kind }) => kind === 'sidecar').reverse()) await sidecar.stop();
    this.#killTimer?.cancel();
    this.#killTimer = undefined;
    this.#terminal = true;
    this.#options.host.changed();
  }

  /** Ends the grace period at the time set. */
  #armKill(): void {
    const { clock } = this.#options.host;
    this.#killTimer?.cancel();
    this.#killTimer = clock.after(Math.max(LEAST_GRACE_MS, this.#killAtMs - clock.now()), () => {
      for (const runner of this.containers) runner.kill();
    });
  }

  async #run(): Promise<void> {
    await this.#mounted;
    if (this.#ending.signal.aborted) return;
    const { restartPolicy = 'Always' } = specOf(this.#options.host.pod());
    if (!(await this.#initialize(restartPolicy))) return;
    const runs: Promise<unknown>[] = [];
    for (const runner of this.#apps) {
      const run = runner.run(restartPolicy);
      runs.push(run);
      await Promise.race([runner.begun, run]);
    }
    await Promise.all(runs);
    if (!this.#ending.signal.aborted) await this.#complete();
  }

  /** Runs the init containers; true when the others may start. */
  async #initialize(restartPolicy: string): Promise<boolean> {
    for (const runner of this.#inits) {
      if (runner.kind === 'sidecar') {
        void runner.run('Always');
        await runner.whenStarted();
      } else if ((await runner.run(restartPolicy === 'Never' ? 'Never' : 'OnFailure')) !== 0) {
        if (!this.#ending.signal.aborted) await this.#complete();
        return false;
      }
      if (this.#ending.signal.aborted) return false;
    }
    return true;
  }

  /** All containers have finished: sidecars that still run are stopped. */
  async #complete(): Promise<void> {
    const { clock } = this.#options.host;
    this.#killAtMs = Math.min(this.#killAtMs, clock.now() + this.#graceMs());
    this.#armKill();
    await this.#stopAll();
  }

  #graceMs(): number {
    return (specOf(this.#options.host.pod()).terminationGracePeriodSeconds ?? 30) * 1000;
  }

  /** Waits until every volume can be mounted. */
  async #mount(): Promise<void> {
    const { clock, feeds, record, volumes } = this.#options.host;
    for (
      let delay = MOUNT_RETRY_MS;
      !this.#ending.signal.aborted;
      delay = Math.min(2 * delay, LONGEST_MOUNT_RETRY_MS)
    ) {
      const message = await volumes.load().then(
        (failure) => failure && `MountVolume.SetUp failed for volume "${failure.volume}" : ${failure.message}`,
        (error: unknown) => `Unable to attach or mount volumes: ${errorText(error)}`,
      );
      if (message === undefined) break;
      record({ type: 'Warning', reason: 'FailedMount', message });
      this.#options.host.changed();
      const waking = new AbortController();
      const wake = (): void => waking.abort();
      const unwatch = feeds.watch(wake);
      this.#ending.signal.addEventListener('abort', wake, { once: true });
      // An abort before it was listened for wakes nothing.
      if (!this.#ending.signal.aborted) await sleep(clock, delay, waking.signal);
      unwatch();
    }
    this.#isMounted = true;
  }

  #setDeadline(): void {
    this.#deadline?.cancel();
    const { activeDeadlineSeconds } = specOf(this.#options.host.pod());
    if (activeDeadlineSeconds === undefined || this.#terminal) return;
    const { clock } = this.#options.host;
    const leftMs = Date.parse(this.#startTime) + activeDeadlineSeconds * 1000 - clock.now();
    this.#deadline = clock.after(Math.max(0, leftMs), () => {
      const message = 'Pod was active on the node longer than the specified deadline';
      this.#failure = { reason: 'DeadlineExceeded', message };
      this.#options.host.record({ type: 'Normal', reason: 'DeadlineExceeded', message });
      void this.#complete();
    });
  }
}

interface FormerStatus {
  readonly name?: string;
  readonly restartCount?: number;
  readonly containerID?: string;
  readonly lastState?: ContainerState;
  readonly state?: ContainerState;
}

/** The status of a container that another kubelet ran: it is lost and counts as ended. */
function former(pod: Pod, { name }: Container): FormerContainer | undefined {
  const status = pod.status ?? {};
  const lists = [status.containerStatuses, status['initContainerStatuses']] as (FormerStatus[] | undefined)[];
  const found = lists.flatMap((list) => list ?? []).find((candidate) => candidate.name === name);
  if (found === undefined) return undefined;
  const { containerID, lastState = {}, restartCount = 0, state = {} } = found;
  // It was about to run once more: that run is counted already.
  if (containerID === undefined) return { restartCount, lastState, ended: undefined };
  const at = state.running?.startedAt;
  const lost = at && { exitCode: 255, reason: 'Unknown', startedAt: at, finishedAt: at, containerID };
  return { restartCount, lastState, ended: state.terminated ?? (lost || lastState.terminated) };
}
