import type { Clock } from '@capstan/meta';
import { Histogram } from '../metrics/registry.js';
import type { AdmissionOperation, AdmissionStep, AdmissionWatcher, TimeSpent } from '../registry/admission-chain.js';

const BOUNDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** How long admission takes, under the names of the real kube-apiserver. Nothing is counted where nobody is asked. */
export class AdmissionMetrics implements AdmissionWatcher {
  readonly #clock: Clock;
  readonly #parts = new Histogram(
    'apiserver_admission_controller_admission_duration_seconds',
    'How long one part of admission took.',
    ['name', 'operation', 'rejected', 'type'],
    BOUNDS,
  );
  readonly #steps = new Histogram(
    'apiserver_admission_step_admission_duration_seconds',
    'How long all parts of admission took together.',
    ['operation', 'rejected', 'type'],
    BOUNDS,
  );

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get families(): readonly Histogram[] {
    return [this.#parts, this.#steps];
  }

  now(): number {
    return this.#clock.monotonic();
  }

  took(part: string | undefined, step: AdmissionStep, operation: AdmissionOperation, spent: TimeSpent): void {
    const labels = [operation, String(spent.rejected), step];
    const seconds = spent.milliseconds / 1000;
    if (part === undefined) this.#steps.observe(labels, seconds);
    else this.#parts.observe([part, ...labels], seconds);
  }
}
