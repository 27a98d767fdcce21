import { sleep } from '@capstan/kube';
import type { Container, Probe } from '../workload/pod-spec.js';
import { performAction } from './actions.js';
import type { ActionTarget } from './actions.js';

const DEFAULTS = {
  failureThreshold: 3,
  initialDelaySeconds: 0,
  periodSeconds: 10,
  successThreshold: 1,
  timeoutSeconds: 1,
};

type ProbeKind = 'Startup' | 'Readiness' | 'Liveness';

export interface ProberOptions {
  readonly target: ActionTarget;
  /** Ends all probing. */
  readonly signal: AbortSignal;
  /** Readiness or the end of the start has changed. */
  readonly changed: () => void;
  /** A probe failed, whatever comes of it. */
  readonly failed: (kind: ProbeKind, output: string) => void;
  /** The container has to be started again. */
  readonly fatal: (kind: 'Startup' | 'Liveness', probe: Probe) => void;
}

/** Asks one running container how it is. */
export class Prober {
  readonly #options: ProberOptions;
  readonly #container: Container;
  #started: boolean;
  #ready: boolean;

  constructor(options: ProberOptions) {
    this.#options = options;
    this.#container = options.target.container;
    this.#started = this.#container.startupProbe === undefined;
    this.#ready = this.#container.readinessProbe === undefined;
  }

  get started(): boolean {
    return this.#started;
  }

  get ready(): boolean {
    return this.#started && this.#ready;
  }

  start(): void {
    const { startupProbe } = this.#container;
    if (startupProbe === undefined) this.#startOthers();
    else void this.#loop('Startup', startupProbe);
  }

  #startOthers(): void {
    const { livenessProbe, readinessProbe } = this.#container;
    if (readinessProbe !== undefined) void this.#loop('Readiness', readinessProbe);
    if (livenessProbe !== undefined) void this.#loop('Liveness', livenessProbe);
  }

  /** Asks until the container is over or the answer is final. */
  async #loop(kind: ProbeKind, probe: Probe): Promise<void> {
    const { failed, signal, target } = this.#options;
    const { failureThreshold, initialDelaySeconds, periodSeconds, successThreshold, timeoutSeconds } = {
      ...DEFAULTS,
      ...probe,
    };
    let [last, inRow] = [false, 0];
    for (let delay = initialDelaySeconds; ; delay = periodSeconds) {
      if (delay > 0 && (await sleep(target.clock, delay * 1000, signal)) === 'aborted') return;
      const { ok, output } = await performAction(probe, target, timeoutSeconds * 1000);
      if (signal.aborted) return;
      if (!ok) failed(kind, output);
      inRow = ok === last ? inRow + 1 : 1;
      last = ok;
      if (inRow < (ok ? successThreshold : failureThreshold)) continue;
      if (this.#settle(kind, probe, ok)) return;
    }
  }

  /** Acts on an answer that has come often enough; true when there is no more to ask. */
  #settle(kind: ProbeKind, probe: Probe, ok: boolean): boolean {
    const { changed, fatal } = this.#options;
    if (kind === 'Readiness') {
      if (this.#ready !== ok) {
        this.#ready = ok;
        changed();
      }
      return false;
    }
    if (!ok) {
      fatal(kind, probe);
      return true;
    }
    if (kind === 'Liveness') return false;
    this.#started = true;
    this.#startOthers();
    changed();
    return true;
  }
}
