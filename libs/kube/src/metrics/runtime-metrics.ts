import { Counter, Gauge, Histogram, LiveGauge, renderMetrics, maxOf, pushAll } from '@capstan/meta';
import type { Clock, CounterSeries, HistogramSeries, MetricFamily } from '@capstan/meta';
import type { Transfer } from '../transport/http.js';
import type { PriorityQueue, QueueObserver } from '../workqueue/priority-queue.js';

const RECONCILE_BOUNDS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const QUEUE_BOUNDS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1000];
const LATENCY_BOUNDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const SIZE_BOUNDS = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];
const WEBHOOK_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What a controller counts. */
class ControllerMetrics {
  readonly total = new Counter('controller_runtime_reconcile_total', 'Reconciliations by controller and result.', [
    'controller',
    'result',
  ]);
  readonly errors = new Counter('controller_runtime_reconcile_errors_total', 'Reconciliations that failed.', [
    'controller',
  ]);
  readonly terminalErrors = new Counter(
    'controller_runtime_terminal_reconcile_errors_total',
    'Reconciliations that failed and are not tried again.',
    ['controller'],
  );
  readonly panics = new Counter(
    'controller_runtime_reconcile_panics_total',
    'Reconciliations that failed by a fault of the program.',
    ['controller'],
  );
  readonly timeouts = new Counter(
    'controller_runtime_reconcile_timeouts_total',
    'Reconciliations that took longer than they may.',
    ['controller'],
  );
  readonly seconds = new Histogram(
    'controller_runtime_reconcile_time_seconds',
    'How long reconciliations took.',
    ['controller'],
    RECONCILE_BOUNDS,
  );
  readonly maxConcurrent = new Gauge(
    'controller_runtime_max_concurrent_reconciles',
    'Reconciliations a controller may run at once.',
    ['controller'],
  );
  readonly activeWorkers = new Gauge('controller_runtime_active_workers', 'Reconciliations that run now.', [
    'controller',
  ]);
}

/** What a queue counts; the rest is read from the queue itself at each scrape. */
class QueueMetrics {
  readonly adds = new Counter('workqueue_adds_total', 'Keys added.', ['name', 'controller']);
  readonly retries = new Counter('workqueue_retries_total', 'Keys added again after a failure.', [
    'name',
    'controller',
  ]);
  readonly waited = new Histogram(
    'workqueue_queue_duration_seconds',
    'How long keys waited in the queue before a worker took them.',
    ['name', 'controller'],
    QUEUE_BOUNDS,
  );
  readonly worked = new Histogram(
    'workqueue_work_duration_seconds',
    'How long the work on keys took.',
    ['name', 'controller'],
    QUEUE_BOUNDS,
  );
}

/** What the client counts. */
class ClientMetrics {
  readonly requests = new Counter('rest_client_requests_total', 'Requests by answer, method and host.', [
    'code',
    'method',
    'host',
  ]);
  readonly retries = new Counter('rest_client_request_retries_total', 'Requests sent again.', ['code', 'verb', 'host']);
  readonly seconds = new Histogram(
    'rest_client_request_duration_seconds',
    'How long requests took.',
    ['verb', 'host'],
    LATENCY_BOUNDS,
  );
  readonly limited = new Histogram(
    'rest_client_rate_limiter_duration_seconds',
    'How long requests waited for their turn.',
    ['verb', 'host'],
    LATENCY_BOUNDS,
  );
  readonly requestBytes = new Histogram(
    'rest_client_request_size_bytes',
    'Size of request bodies.',
    ['verb', 'host'],
    SIZE_BOUNDS,
  );
  readonly responseBytes = new Histogram(
    'rest_client_response_size_bytes',
    'Size of response bodies.',
    ['verb', 'host'],
    SIZE_BOUNDS,
  );
}

/** What a webhook server counts. */
class WebhookMetrics {
  readonly requests = new Counter('controller_runtime_webhook_requests_total', 'Admission requests by answer.', [
    'webhook',
    'code',
  ]);
  readonly inFlight = new Gauge('controller_runtime_webhook_requests_in_flight', 'Admission requests served now.', [
    'webhook',
  ]);
  readonly seconds = new Histogram(
    'controller_runtime_webhook_latency_seconds',
    'How long admission requests took.',
    ['webhook'],
    WEBHOOK_BOUNDS,
  );
  readonly panics = new Counter(
    'controller_runtime_webhook_panics_total',
    'Admission requests that met a fault of the program.',
    [],
  );
  readonly conversionPanics = new Counter(
    'controller_runtime_conversion_webhook_panics_total',
    'Conversions that met a fault of the program.',
    [],
  );
  readonly certificateReads = new Counter(
    'certwatcher_read_certificate_total',
    'How often the certificate was read.',
    [],
  );
  readonly certificateErrors = new Counter(
    'certwatcher_read_certificate_errors_total',
    'How often the certificate could not be read.',
    [],
  );
}

/** What an elector counts. */
class LeaderMetrics {
  readonly master = new Gauge('leader_election_master_status', 'Whether this process holds the lease.', ['name']);
  readonly slowPath = new Counter('leader_election_slowpath_total', 'Renewals that had to read the lease first.', [
    'name',
  ]);
}

/** Everything a program of controllers counts, under the names its dashboards know. */
export class RuntimeMetrics {
  readonly controller = new ControllerMetrics();
  readonly queue = new QueueMetrics();
  readonly client = new ClientMetrics();
  readonly webhook = new WebhookMetrics();
  readonly leader = new LeaderMetrics();
  readonly #clock: Clock;
  readonly #queues = new Map<string, PriorityQueue<string>>();
  readonly #families: MetricFamily[];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#families = [
      ...[this.controller, this.queue, this.client, this.webhook, this.leader].flatMap((group) =>
        Object.values(group as unknown as Record<string, MetricFamily>),
      ),
      ...this.#queueGauges(),
    ];
    for (const counter of [
      this.webhook.panics,
      this.webhook.conversionPanics,
      this.webhook.certificateReads,
      this.webhook.certificateErrors,
    ])
      counter.add([], 0);
  }

  /** Adds what a program counts for itself. */
  register(...families: readonly MetricFamily[]): void {
    pushAll(this.#families, families);
  }

  /** The page in the text format of Prometheus. */
  render(): string {
    return renderMetrics(this.#families);
  }

  /** Lets the gauges of a queue be read. */
  watchQueue(name: string, queue: PriorityQueue<string>): void {
    this.#queues.set(name, queue);
  }

  /** Observes the transfers of an HTTP transport. */
  transferObserver(host = 'apiserver'): (transfer: Transfer) => void {
    const { requestBytes: sent, responseBytes: received } = this.client;
    return ({ method, requestBytes, responseBytes }) => {
      sent.observe([method, host], requestBytes);
      received.observe([method, host], responseBytes);
    };
  }

  /** Observes the queue of that name. */
  queueObserver(name: string): QueueObserver<string> {
    const labels = [name, name];
    const { adds, retries, waited, worked } = this.queue;
    // Found once each, and not before there is something to be shown.
    let added: CounterSeries | undefined;
    let taken: HistogramSeries | undefined;
    let finished: HistogramSeries | undefined;
    return {
      added: () => (added ??= adds.series(labels)).add(),
      retried: () => retries.add(labels),
      taken: (_key, ms) => (taken ??= waited.series(labels)).observe(ms / 1000),
      finished: (_key, ms) => (finished ??= worked.series(labels)).observe(ms / 1000),
    };
  }

  #queueGauges(): LiveGauge[] {
    const queues = this.#queues;
    const ages = (reduce: (ages: readonly number[]) => number) => () => {
      const now = this.#clock.monotonic();
      return [...queues].map(([name, queue]) => {
        const seconds = [...queue.workStarts()].map((began) => (now - began) / 1000);
        return [[name, name], reduce(seconds)] as const;
      });
    };
    return [
      new LiveGauge('workqueue_depth', 'Keys ready to be taken.', ['name', 'controller', 'priority'], function* () {
        for (const [name, queue] of queues)
          for (const [priority, depth] of queue.depths()) yield [[name, name, String(priority)], depth] as const;
      }),
      new LiveGauge(
        'workqueue_unfinished_work_seconds',
        'Total time of the reconciliations in progress so far.',
        ['name', 'controller'],
        ages((each) => each.reduce((sum, age) => sum + age, 0)),
      ),
      new LiveGauge(
        'workqueue_longest_running_processor_seconds',
        'Time of the longest reconciliation in progress so far.',
        ['name', 'controller'],
        ages((each) => maxOf(each, 0)),
      ),
    ];
  }
}
