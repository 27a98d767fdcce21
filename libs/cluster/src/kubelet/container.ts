import { formatDuration } from '@capstan/meta';
import { sleep } from '@capstan/kube';
import { specOf } from '../workload/pod-spec.js';
import type { Container, Probe } from '../workload/pod-spec.js';
import { performAction } from './actions.js';
import { BackOff, mayRestart } from './back-off.js';
import type { ContainerHost } from './host.js';
import { ContainerInstance } from './instance.js';
import type { InstanceExit } from './instance.js';
import type { LogBuffer } from './log-buffer.js';
import type { ContainerState, ContainerView, Terminated } from './pod-status.js';
import { prepareStart } from './preparation.js';
import { Prober } from './prober.js';

export type ContainerKind = 'init' | 'sidecar' | 'app';

/** What is known of a container from before this kubelet. */
export interface FormerContainer {
  readonly restartCount: number;
  readonly lastState: ContainerState;
  /** How its last run ended, by its own doing or with its node. */
  readonly ended?: Terminated | undefined;
}

/** Runs one container of a pod, again and again if need be, until it is over or stopped. */
export class ContainerRunner {
  readonly kind: ContainerKind;
  readonly #host: ContainerHost;
  readonly #backOff = new BackOff();
  readonly #ending = new AbortController();
  readonly #startWaiters: (() => void)[] = [];
  /** Resolves when its first start has come to something: the containers of a pod are started in their order. */
  readonly begun: Promise<void>;
  #hasBegun: () => void = () => undefined;
  readonly #former: FormerContainer | undefined;
  readonly #waiting: ContainerState;
  #spec: Container;
  #state: ContainerState;
  #lastState: ContainerState;
  #restartCount: number;
  #containerId: string;
  /** The run not yet over. */
  #live: ContainerInstance | undefined;
  #prober: Prober | undefined;
  #log: LogBuffer | undefined;
  #previousLog: LogBuffer | undefined;

  // oxlint-disable-next-line max-params
  constructor(host: ContainerHost, spec: Container, kind: ContainerKind, waiting: string, former?: FormerContainer) {
    this.begun = new Promise((resolve) => {
      this.#hasBegun = resolve;
    });
    this.#host = host;
    this.#spec = spec;
    this.kind = kind;
    this.#waiting = { waiting: { reason: waiting } };
    this.#former = former;
    // Until it starts the status keeps the previous run, or a kubelet that dies meanwhile would lose it.
    this.#state = former?.ended ? { terminated: former.ended } : this.#waiting;
    this.#containerId = former?.ended?.containerID ?? '';
    this.#lastState = former?.lastState ?? {};
    this.#restartCount = former?.restartCount ?? 0;
  }

  get name(): string {
    return this.#spec.name;
  }

  /** The run that is going on. */
  get instance(): ContainerInstance | undefined {
    return this.#state.running === undefined ? undefined : this.#live;
  }

  get log(): LogBuffer | undefined {
    return this.#log;
  }

  /** Of the run before. */
  get previousLog(): LogBuffer | undefined {
    return this.#previousLog;
  }

  view(): ContainerView {
    const running = this.#state.running !== undefined;
    const started = running && this.#prober?.started === true;
    const ready =
      this.kind === 'init'
        ? this.#state.terminated?.exitCode === 0
        : started && this.#prober?.ready === true && !this.#isNeverReady();
    return {
      spec: this.#spec,
      state: this.#state,
      lastState: this.#lastState,
      restartCount: this.#restartCount,
      containerId: this.#containerId,
      ready,
      started,
    };
  }

  /** Runs under a restart policy; gives the exit code, or undefined when stopped before it ever ran. */
  async run(policy: string): Promise<number | undefined> {
    const ended = this.#takeUp(policy);
    if (ended !== undefined) return ended;
    for (;;) {
      const exit = await this.#once();
      if (exit === undefined || this.#ending.signal.aborted) return exit?.exitCode;
      if (!mayRestart(policy, exit.exitCode) || !(await this.#waitToRestart())) return exit.exitCode;
      this.#restartCount += 1;
    }
  }

  /** Takes up where another kubelet left; gives the exit code when there is nothing left to do. */
  #takeUp(policy: string): number | undefined {
    const ended = this.#former?.ended;
    if (!ended) return undefined;
    // What init containers prepared was lost with the node: they run again where the server lets them.
    const isFinal = this.kind === 'app' || specOf(this.#host.pod()).restartPolicy !== 'Always';
    if (!isFinal || mayRestart(policy, ended.exitCode)) {
      this.#restartCount += 1;
      this.#lastState = { terminated: ended };
      this.#state = this.#waiting;
      this.#containerId = '';
      return undefined;
    }
    this.#changed();
    return ended.exitCode;
  }

  /** Resolves when the container has started, its startup probe agreeing, or is over. */
  whenStarted(): Promise<void> {
    if (this.#isUp()) return Promise.resolve();
    return new Promise((resolve) => this.#startWaiters.push(resolve));
  }

  /** Takes a new spec; another image means another run. */
  update(spec: Container): void {
    const changed = spec.image !== this.#spec.image;
    this.#spec = spec;
    if (changed) this.#restart('definition changed');
  }

  /** Ends it for good, gently. Resolves when it is over. */
  async stop(): Promise<void> {
    if (this.#ending.signal.aborted) return;
    this.#end();
    const instance = this.#live;
    if (instance === undefined) return;
    this.#record('Normal', 'Killing', `Stopping container ${this.name}`);
    await this.#stopInstance(instance);
  }

  /** Ends it for good, at once. */
  kill(): void {
    this.#end();
    this.#live?.kill();
  }

  #end(): void {
    this.#ending.abort();
    this.#hasBegun();
    for (const wake of this.#startWaiters.splice(0)) wake();
  }

  async #once(): Promise<InstanceExit | undefined> {
    const env = await prepareStart({
      host: this.#host,
      spec: this.#spec,
      signal: this.#ending.signal,
      wait: (reason, message) => this.#wait(reason, message),
      record: (type, reason, message) => this.#record(type, reason, message),
    });
    // Ended while the answer was on its way: a run that begins now would never be ended.
    if (env === undefined || this.#ending.signal.aborted) return undefined;
    const instance = new ContainerInstance(this.#host, this.#spec, env);
    this.#live = instance;
    this.#previousLog = this.#log;
    this.#log = instance.log;
    this.#containerId = instance.id;
    const { image = '' } = this.#spec;
    this.#record(
      'Normal',
      'Pulled',
      `Container image "${image}" already present on machine and can be accessed by the pod`,
    );
    this.#record('Normal', 'Created', 'Container created');
    // One that is killed before it has begun never begins.
    await Promise.race([instance.start(this.#host), instance.exited]);
    const { startFailure } = instance;
    if (startFailure === undefined) this.#record('Normal', 'Started', 'Container started');
    else this.#record('Warning', 'Failed', `Error: failed to start container "${this.name}": ${startFailure}`);
    if (this.#state.terminated !== undefined) this.#lastState = this.#state;
    this.#state = { running: { startedAt: instance.startedAt } };
    this.#watch(instance);
    this.#hasBegun();
    this.#changed();
    const exit = await instance.exited;
    this.#prober = undefined;
    this.#live = undefined;
    this.#state = { terminated: instance.terminated(exit) };
    this.#changed();
    return exit;
  }

  /** True when it may start again. */
  async #waitToRestart(): Promise<boolean> {
    const { clock } = this.#host;
    const delayMs = this.#backOff.next(clock.now());
    const { name = '', namespace = '', uid = '' } = this.#host.pod().metadata;
    if (delayMs > 0) {
      const pod = `${name}_${namespace}(${uid})`;
      const lasting = formatDuration(BigInt(delayMs) * 1_000_000n);
      this.#lastState = this.#state;
      this.#state = {
        waiting: {
          reason: 'CrashLoopBackOff',
          message: `back-off ${lasting} restarting failed container=${this.name} pod=${pod}`,
        },
      };
      this.#record('Warning', 'BackOff', `Back-off restarting failed container ${this.name} in pod ${pod}`);
      this.#changed();
      await sleep(clock, delayMs, this.#ending.signal);
    }
    if (!this.#ending.signal.aborted) return true;
    // It ended as it last ended: there will be no other run.
    if (this.#state.waiting !== undefined) this.#state = this.#lastState;
    return false;
  }

  #watch(instance: ContainerInstance): void {
    const target = instance.actionTarget(this.#spec, this.#host);
    this.#prober = new Prober({
      target,
      signal: instance.signal,
      changed: () => this.#changed(),
      failed: (kind, output) => this.#record('Warning', 'Unhealthy', `${kind} probe failed: ${output}`),
      fatal: (kind, probe) => this.#restart(`failed ${kind.toLowerCase()} probe`, probe),
    });
    this.#prober.start();
    const { postStart } = this.#spec.lifecycle ?? {};
    if (postStart === undefined) return;
    void performAction(postStart, target, Number.MAX_SAFE_INTEGER).then(({ ok, output }) => {
      if (ok || instance.signal.aborted) return;
      this.#record('Warning', 'FailedPostStartHook', `PostStartHook failed: ${output}`);
      this.#restart('FailedPostStartHook');
    });
  }

  /** Ends the run that is going on; the policy decides on the next. */
  #restart(why: string, probe?: Probe): void {
    const instance = this.#live;
    if (instance === undefined || this.#ending.signal.aborted) return;
    const title = this.kind === 'app' ? 'Container' : 'Init container';
    this.#record('Normal', 'Killing', `${title} ${this.name} ${why}, will be restarted`);
    const { terminationGracePeriodSeconds = 30 } = specOf(this.#host.pod());
    const graceSeconds = probe?.terminationGracePeriodSeconds ?? terminationGracePeriodSeconds;
    const timer = this.#host.clock.after(graceSeconds * 1000, () => instance.kill());
    void instance.exited.then(() => timer.cancel());
    void this.#stopInstance(instance);
  }

  async #stopInstance(instance: ContainerInstance): Promise<void> {
    const { preStop } = this.#spec.lifecycle ?? {};
    if (preStop !== undefined) {
      const target = instance.actionTarget(this.#spec, this.#host);
      const hook = performAction(preStop, target, Number.MAX_SAFE_INTEGER);
      const result = await Promise.race([hook, instance.exited.then(() => undefined)]);
      if (result?.ok === false) this.#record('Warning', 'FailedPreStopHook', 'PreStopHook failed');
    }
    instance.stop();
    await instance.exited;
  }

  #wait(reason: string, message?: string): void {
    if (this.#state.terminated !== undefined) this.#lastState = this.#state;
    this.#state = { waiting: { reason, ...(message === undefined ? {} : { message }) } };
    // Nobody waits for what cannot be started.
    if (reason !== 'ContainerCreating') this.#hasBegun();
    this.#changed();
  }

  #changed(): void {
    if (this.#isUp()) for (const wake of this.#startWaiters.splice(0)) wake();
    this.#host.changed();
  }

  #isUp(): boolean {
    return this.#prober?.started === true || this.#ending.signal.aborted;
  }

  #isNeverReady(): boolean {
    const { faults, nodeName } = this.#host;
    return faults.find('never-ready', { node: nodeName, pod: this.#host.pod(), image: this.#spec.image }) !== undefined;
  }

  #record(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const list = this.kind === 'app' ? 'containers' : 'initContainers';
    this.#host.record({ type, reason, message, fieldPath: `spec.${list}{${this.name}}` });
  }
}
