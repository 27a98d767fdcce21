import { Counter, Histogram } from '@capstan/meta';
import type { PolicyDecision } from './evaluate.js';

const LABELS = ['policy', 'policy_binding', 'error_type', 'enforcement_action'];
const BOUNDS = [0.000_000_5, 0.001, 0.01, 0.1, 1];

export type EnforcementAction = 'allow' | 'audit' | 'deny' | 'warn';

/** What is counted of admission policies, under the names of the real kube-apiserver. */
export class PolicyMetrics {
  readonly #checks = new Counter(
    'apiserver_validating_admission_policy_check_total',
    'Expressions of admission policies that did not simply pass.',
    LABELS,
  );
  readonly #durations = new Histogram(
    'apiserver_validating_admission_policy_check_duration_seconds',
    'How long admission policies took that did not simply pass.',
    LABELS,
    BOUNDS,
  );

  get families(): readonly (Counter | Histogram)[] {
    return [this.#checks, this.#durations];
  }

  observe(
    { policy, binding }: { readonly policy: string; readonly binding: string },
    decision: Pick<PolicyDecision, 'message'>,
    action: EnforcementAction,
    seconds: number,
  ): void {
    const labels = [policy, binding, errorType(decision.message), action];
    this.#checks.add(labels);
    this.#durations.observe(labels, seconds);
  }
}

function errorType(message: string): string {
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith('validation failed due to running out of cost budget') ? 'out_of_budget' : 'invalid_error';
}
