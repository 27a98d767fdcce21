import { isPassedOn } from '../connect/long-running.js';
import type { ConversionOutcome } from '../crd/index.js';
import type { RequestInfo } from '../request/request-info.js';
import type { Store } from '../store/index.js';
import { Counter, Histogram, LiveGauge, renderMetrics, pushAll } from '@capstan/meta';
import type { CounterSeries, HistogramSeries, MetricFamily } from '@capstan/meta';

const DURATION_BOUNDS = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

const CONVERSION_BOUNDS = Array.from({ length: 15 }, (_, power) => 0.001 * 2 ** power);
const REVIEW_BOUNDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60];

/** Where requests of one kind are counted. */
interface RequestLines {
  /** The first of them. */
  readonly info: RequestInfo;
  readonly verb: string;
  readonly subresource: string;
  readonly code: number;
  readonly requests: CounterSeries;
  readonly durations: HistogramSeries | undefined;
}

/** More than clients ask of one resource that know what they want. */
const MAX_LINES = 64;

/** What the server counts, under the names of the real kube-apiserver. */
export class ServerMetrics {
  readonly #requests = new Counter('apiserver_request_total', 'Requests by verb, resource and answer.', [
    'verb',
    'dry_run',
    'group',
    'version',
    'resource',
    'subresource',
    'scope',
    'component',
    'code',
  ]);
  readonly #durations = new Histogram(
    'apiserver_request_duration_seconds',
    'How long requests took, watches left out.',
    ['verb', 'dry_run', 'group', 'version', 'resource', 'subresource', 'scope', 'component'],
    DURATION_BOUNDS,
  );
  readonly #conversions = new Histogram(
    'apiserver_crd_conversion_webhook_duration_seconds',
    'How long conversions of custom resources by webhook took.',
    ['crd_name', 'from_version', 'to_version', 'succeeded'],
    CONVERSION_BOUNDS,
  );
  readonly #reviews = new Counter(
    'apiserver_conversion_webhook_request_total',
    'Reviews sent to conversion webhooks.',
    ['result', 'failure_type'],
  );
  readonly #reviewDurations = new Histogram(
    'apiserver_conversion_webhook_duration_seconds',
    'How long reviews by conversion webhooks took.',
    ['result', 'failure_type'],
    REVIEW_BOUNDS,
  );
  /** By resource. */
  readonly #lines = new Map<string, RequestLines[]>();
  readonly #watchers = new Map<string, { labels: readonly string[]; count: number }>();
  readonly #families: MetricFamily[];

  /** `more`: what others count. */
  constructor(store: Store, more: readonly (Counter | Histogram)[] = []) {
    const watchers = this.#watchers;
    this.#families = [
      this.#requests,
      this.#durations,
      this.#conversions,
      this.#reviews,
      this.#reviewDurations,
      ...more,
      new LiveGauge(
        'apiserver_registered_watchers',
        'Watches that are open now.',
        ['group', 'version', 'kind'],
        function* () {
          for (const { labels, count } of watchers.values()) yield [labels, count] as const;
        },
      ),
      new LiveGauge('apiserver_storage_objects', 'Stored objects by resource.', ['resource'], function* () {
        for (const resource of store.resources()) yield [[storageName(resource)], store.count(resource)] as const;
      }),
    ];
  }

  observe(info: RequestInfo, code: number, seconds: number): void {
    const known = this.#knownLines(info, code);
    known.requests.add();
    known.durations?.observe(seconds);
  }

  /** Requests of a kind come again and again: their lines are found by what they ask for, without making up labels. */
  #knownLines(info: RequestInfo, code: number): RequestLines {
    const { resource, subresource, verb } = info;
    let lines = this.#lines.get(resource);
    for (const each of lines ?? []) {
      const isAlike = each.code === code && each.verb === verb && each.subresource === subresource;
      if (isAlike && isOfLine(info, each)) return each;
    }
    const found = { info, verb, subresource, code, ...this.#linesOf(info, code) };
    if (lines === undefined) this.#lines.set(resource, (lines = []));
    if (lines.length < MAX_LINES && isUsual(info)) lines.push(found);
    return found;
  }

  #linesOf(info: RequestInfo, code: number): Pick<RequestLines, 'requests' | 'durations'> {
    const verb = info.isResource ? metricVerb(info) : info.verb.toUpperCase();
    const scope = !info.isResource
      ? ''
      : info.name !== ''
        ? 'resource'
        : info.namespace !== ''
          ? 'namespace'
          : 'cluster';
    const dryRun = info.query.get('dryRun') ?? '';
    const labels = [verb, dryRun, info.group, info.version, info.resource, info.subresource, scope, 'apiserver'];
    const requests = this.#requests.series([...labels, String(code)]);
    return { requests, durations: info.verb === 'watch' ? undefined : this.#durations.series(labels) };
  }

  observeConversion({ definition, from, to, failure, seconds }: ConversionOutcome): void {
    this.#conversions.observe([definition, from, to, String(failure === undefined)], seconds);
    const labels = failure === undefined ? ['success', ''] : ['failure', failure];
    this.#reviews.add(labels);
    this.#reviewDurations.observe(labels, seconds);
  }

  /** Counts an open watch; call the result when it ends. */
  watchOpened(group: string, version: string, kind: string): () => void {
    const key = `${group}/${version}/${kind}`;
    let entry = this.#watchers.get(key);
    if (entry === undefined) this.#watchers.set(key, (entry = { labels: [group, version, kind], count: 0 }));
    entry.count += 1;
    let isOpen = true;
    const opened = entry;
    return () => {
      if (isOpen) opened.count -= 1;
      isOpen = false;
    };
  }

  /** Shows what others count, too: a front end, for one. */
  include(families: readonly MetricFamily[]): void {
    pushAll(this.#families, families);
  }

  render(): string {
    return renderMetrics(this.#families);
  }
}

/** Nothing in its query could be counted apart. */
function isUsual({ isResource, query }: RequestInfo): boolean {
  return isResource && (query.size === 0 || !query.has('dryRun'));
}

/** Whether a request is counted with those of a line, its verb and subresource being the same. */
function isOfLine(info: RequestInfo, line: RequestLines): boolean {
  const { group, name, namespace, version } = line.info;
  if (info.version !== version || info.group !== group || !isUsual(info)) return false;
  return (info.name === '') === (name === '') && (info.namespace === '') === (namespace === '');
}

function metricVerb(info: RequestInfo): string {
  // However it was asked for.
  if (isPassedOn(info)) return 'CONNECT';
  if (info.verb === 'create') return 'POST';
  if (info.verb === 'update') return 'PUT';
  return info.verb.toUpperCase();
}

/** `deployments.apps`, `pods`. */
function storageName(partition: string): string {
  const slash = partition.indexOf('/');
  const group = partition.slice(0, slash);
  return group === '' ? partition.slice(slash + 1) : `${partition.slice(slash + 1)}.${group}`;
}
