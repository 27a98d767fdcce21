import { Counter, LiveGauge, renderMetrics } from '@capstan/meta';
import type { ConditionUpdate, MetricFamily } from '@capstan/meta';
import type { Plan } from './decide.js';
import {
  definitionCounts,
  operatorConditions,
  operatorWrites,
  WRITE_OUTCOMES,
  WRITTEN_KINDS,
} from '../metric-declarations.js';
import type { WriteOutcome } from '../metric-declarations.js';

/** What one reconcile has found. */
interface Seen {
  readonly plan: Plan;
  readonly conditions: readonly Pick<ConditionUpdate, 'status' | 'type'>[];
}

/** What the operator counts. */
export class CapiMetrics {
  readonly #writes = Counter.of(operatorWrites);
  readonly #conditions: LiveGauge;
  readonly #definitions: LiveGauge;
  #seen: Seen | undefined;

  constructor() {
    for (const kind of WRITTEN_KINDS) for (const outcome of WRITE_OUTCOMES) this.#writes.add([kind, outcome], 0);
    this.#conditions = LiveGauge.of(operatorConditions, () =>
      (this.#seen?.conditions ?? []).map(({ status, type }) => [[type], status === 'True' ? 1 : 0] as const),
    );
    this.#definitions = LiveGauge.of(definitionCounts, () =>
      this.#seen === undefined
        ? []
        : Object.entries(countsOf(this.#seen.plan)).map(([state, count]) => [[state], count] as const),
    );
  }

  /** Remembers what was found and reported. */
  saw(plan: Plan, conditions: Seen['conditions']): void {
    this.#seen = { plan, conditions };
  }

  /** Counts the write of an object, named as `kind name`. */
  wrote(what: string, outcome: WriteOutcome): void {
    this.#writes.add([what.split(' ', 1)[0] ?? '', outcome]);
  }

  /** The page in the text format of Prometheus. */
  render(): string {
    return renderMetrics(this.families);
  }

  /** All of it. */
  get families(): readonly MetricFamily[] {
    return [this.#conditions, this.#definitions, this.#writes];
  }
}

/** How many CRDs there are of each state. */
function countsOf({ install, required, unclaimed, unknown }: Plan): Readonly<Record<string, number>> {
  const named = (each: typeof required): number => new Set(each.map(({ definition }) => definition)).size;
  return {
    install: install.length,
    required: named(required),
    incompatible: named(required.filter(({ standing }) => standing.problem !== undefined)),
    unclaimed: unclaimed.length,
    unknown: unknown.length,
  };
}
