import { METRICS_ANNOTATION } from '../builtin/autoscaling/conversion.js';
import { metricsFrom } from '../builtin/autoscaling/metric-annotations.js';
import { count, since, text } from './format.js';
import { printer, type TablePrinter, type View } from './printer.js';

interface MetricValue {
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
}

interface MetricSource {
  readonly name?: string;
  readonly target?: MetricValue;
  readonly current?: MetricValue;
}

interface Metric {
  readonly type?: string;
  readonly external?: MetricSource;
  readonly object?: MetricSource;
  readonly pods?: MetricSource;
  readonly resource?: MetricSource;
  readonly containerResource?: MetricSource;
}

interface AutoscalerView extends View {
  readonly spec?: {
    readonly scaleTargetRef?: { readonly kind?: string; readonly name?: string };
    readonly minReplicas?: number;
    readonly maxReplicas?: number;
    readonly metrics?: readonly Metric[];
    /** Only in v1, which knows no other metric. */
    readonly targetCPUUtilizationPercentage?: number;
  };
  readonly status?: {
    readonly currentReplicas?: number;
    readonly currentMetrics?: readonly Metric[];
    readonly currentCPUUtilizationPercentage?: number;
  };
}

/** How an absent quantity prints where the real server does not look whether it is there. */
const absent = '<nil>';

/** A metric of outside things: against an average, or against a plain value. */
function plainMetric(target: MetricValue | undefined, current: MetricValue | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? '<unknown>'}/${target.averageValue} (avg)`;
  return `${current === undefined ? '<unknown>' : (current.value ?? absent)}/${target?.value ?? absent}`;
}

/** A metric of the pods' own resources: against an average, or against a share of what they request. */
function resourceMetric(source: MetricSource | undefined, current: MetricValue | undefined): string {
  const { name = '', target } = source ?? {};
  if (target?.averageValue !== undefined) {
    return `${name}: ${current === undefined ? '<unknown>' : (current.averageValue ?? absent)}/${target.averageValue}`;
  }
  const share = (value: number | undefined, otherwise: string): string =>
    value === undefined ? otherwise : `${value}%`;
  return `${name}: ${share(current?.averageUtilization, '<unknown>')}/${share(target?.averageUtilization, '<auto>')}`;
}

function podsMetric(target: MetricValue | undefined, status: MetricSource | undefined): string {
  return `${status === undefined ? '<unknown>' : (status.current?.averageValue ?? absent)}/${target?.averageValue ?? absent}`;
}

function formatMetric(spec: Metric, status: Metric = {}): string {
  switch (spec.type) {
    case 'External':
      return plainMetric(spec.external?.target, status.external?.current);
    case 'Object':
      return plainMetric(spec.object?.target, status.object?.current);
    case 'Pods':
      return podsMetric(spec.pods?.target, status.pods);
    case 'Resource':
      return resourceMetric(spec.resource, status.resource?.current);
    case 'ContainerResource':
      return resourceMetric(spec.containerResource, status.containerResource?.current);
    default:
      return '<unknown type>';
  }
}

function cpu(value: 'target' | 'current', share: number | undefined): readonly Metric[] {
  if (share === undefined) return [];
  return [{ type: 'Resource', resource: { name: 'cpu', [value]: { averageUtilization: share } } }];
}

/** An autoscaler of v1 keeps most of its metrics in an annotation. */
function metricsOf({ spec, metadata }: AutoscalerView): readonly Metric[] {
  if (spec?.metrics !== undefined) return spec.metrics;
  const others = metricsFrom(metadata.annotations?.[METRICS_ANNOTATION]) as readonly Metric[];
  return [...others, ...cpu('target', spec?.targetCPUUtilizationPercentage)];
}

function formatMetrics(object: AutoscalerView): string {
  const { status } = object;
  const wanted = metricsOf(object);
  const current = status?.currentMetrics ?? cpu('current', status?.currentCPUUtilizationPercentage);
  if (wanted.length === 0) return '<none>';
  const shown = wanted.slice(0, 2).map((metric, index) => formatMetric(metric, current[index]));
  const more = wanted.length - shown.length;
  return more > 0 ? `${shown.join(', ')} + ${more} more...` : shown.join(', ');
}

/** Horizontal pod autoscalers of either version. */
export const horizontalPodAutoscalers: TablePrinter = printer<AutoscalerView>(
  `Name
   Reference | string | What it scales.
   Targets   | string | Each metric: where it stands and where it should.
   MinPods   | string | The fewest pods it goes down to.
   MaxPods   | string | The most pods it goes up to.
   Replicas  | string | Pods there are now.
   Age`,
  (object, now) => {
    const { metadata, spec = {}, status = {} } = object;
    return [
      text(metadata.name),
      `${text(spec.scaleTargetRef?.kind)}/${text(spec.scaleTargetRef?.name)}`,
      formatMetrics(object),
      `${spec.minReplicas ?? '<unset>'}`,
      count(spec.maxReplicas),
      count(status.currentReplicas),
      since(metadata.creationTimestamp, now),
    ];
  },
);
