import { Counter, Histogram, LiveGauge, renderMetrics } from '@capstan/meta';
import type { MetricFamily } from '@capstan/meta';
import {
  definitionReviews,
  objectReviews,
  objectReviewSeconds,
  OUTCOMES,
  requirementConditions,
} from './metric-declarations.js';
import type { Outcome } from './metric-declarations.js';
import type { Requirements } from './requirement-cache/requirements.js';

/** What the checker counts. */
export class CheckerMetrics {
  readonly definitions = Counter.of(definitionReviews);
  readonly #objects = Counter.of(objectReviews);
  readonly #objectSeconds = Histogram.of(objectReviewSeconds);
  readonly #conditions: LiveGauge;

  constructor(requirements: Pick<Requirements, 'all'>) {
    for (const outcome of OUTCOMES) this.definitions.add([outcome], 0);
    this.#conditions = LiveGauge.of(requirementConditions, () => conditionsOf(requirements));
  }

  /** Counts the review of one object. */
  object(requirement: string, outcome: Outcome, seconds: number): void {
    this.#objects.add([requirement, outcome]);
    this.#objectSeconds.observe([], seconds);
  }

  /** The page in the text format of Prometheus. */
  render(): string {
    return renderMetrics(this.families);
  }

  /** All of it. */
  get families(): readonly MetricFamily[] {
    return [this.definitions, this.#objects, this.#objectSeconds, this.#conditions];
  }
}

function* conditionsOf(requirements: Pick<Requirements, 'all'>): Iterable<readonly [readonly string[], number]> {
  for (const { metadata, status } of requirements.all())
    for (const { status: value, type } of status?.conditions ?? [])
      yield [[metadata.name ?? '', status?.crdName ?? '', type], value === 'True' ? 1 : 0];
}
