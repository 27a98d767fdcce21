import { Counter, Histogram } from '@capstan/meta';

/** Who is counted, and in which step. */
export interface Observed {
  readonly webhook: string;
  readonly type: 'admit' | 'validating';
  readonly operation: string;
}

const BOUNDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];
const MAX_CODE = 600;

/** What is counted of admission webhooks, under the names of the real kube-apiserver. */
export class WebhookMetrics {
  readonly #durations = new Histogram(
    'apiserver_admission_webhook_admission_duration_seconds',
    'How long admission webhooks took.',
    ['name', 'type', 'operation', 'rejected'],
    BOUNDS,
  );
  readonly #requests = new Counter('apiserver_admission_webhook_request_total', 'Calls of admission webhooks.', [
    'name',
    'type',
    'operation',
    'code',
    'rejected',
  ]);
  readonly #rejections = new Counter(
    'apiserver_admission_webhook_rejection_count',
    'Requests that admission webhooks, or failures to ask them, refused.',
    ['name', 'type', 'operation', 'error_type', 'rejection_code'],
  );
  readonly #failOpen = new Counter(
    'apiserver_admission_webhook_fail_open_count',
    'Requests that passed because a webhook that may be missed could not be asked.',
    ['name', 'type'],
  );
  readonly #exclusions = new Counter(
    'apiserver_admission_match_condition_exclusions_total',
    'Requests that match conditions kept from a webhook.',
    ['name', 'kind', 'type', 'operation'],
  );
  readonly #conditionErrors = new Counter(
    'apiserver_admission_match_condition_evaluation_errors_total',
    'Match conditions that ended in an error.',
    ['name', 'kind', 'type', 'operation'],
  );

  get families(): readonly (Counter | Histogram)[] {
    return [this.#durations, this.#requests, this.#rejections, this.#failOpen, this.#exclusions, this.#conditionErrors];
  }

  called({ webhook, type, operation }: Observed, seconds: number, code: number, rejected: boolean): void {
    this.#requests.add([webhook, type, operation, String(Math.min(code, MAX_CODE)), String(rejected)]);
    this.#durations.observe([webhook, type, operation, String(rejected)], seconds);
  }

  rejected(
    { webhook, type, operation }: Observed,
    errorType: 'no_error' | 'calling_webhook_error' | 'apiserver_internal_error',
    code: number,
  ): void {
    this.#rejections.add([webhook, type, operation, errorType, String(Math.min(code, MAX_CODE))]);
  }

  failedOpen({ webhook, type }: Observed): void {
    this.#failOpen.add([webhook, type]);
  }

  excluded({ webhook, type, operation }: Observed): void {
    this.#exclusions.add([webhook, 'webhook', type, operation]);
  }

  conditionFailed({ webhook, type, operation }: Observed): void {
    this.#conditionErrors.add([webhook, 'webhook', type, operation]);
  }
}
