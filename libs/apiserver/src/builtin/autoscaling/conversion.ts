/** Between the two versions of autoscalers. */
import type { JsonObject, KubeObject } from '@capstan/meta';
import { fields, integer, record, records } from '../shared/json.js';
import { behaviorFrom, behaviorText } from './behavior-annotation.js';
import { metricsFrom, metricsText } from './metric-annotations.js';

/** Where v1 keeps the metrics it has no field for. */
export const METRICS_ANNOTATION = 'autoscaling.alpha.kubernetes.io/metrics';
const BEHAVIOR_ANNOTATION = 'autoscaling.alpha.kubernetes.io/behavior';
/** All annotations that hold what v1 has no fields for. */
export const STAND_IN_ANNOTATIONS: readonly string[] = [METRICS_ANNOTATION, BEHAVIOR_ANNOTATION];

/** The metric that v1 has a field for. */
export function cpuMetric(utilization: number): JsonObject {
  return {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: utilization } },
  };
}

function isCpuUtilization(metric: JsonObject): boolean {
  const resource = fields(metric['resource']);
  return (
    metric['type'] === 'Resource' &&
    resource['name'] === 'cpu' &&
    fields(resource['target'])['averageUtilization'] !== undefined
  );
}

function toV1(autoscaler: KubeObject): KubeObject {
  const { metrics, behavior, ...rest } = fields(autoscaler['spec']);
  const status = fields(autoscaler['status']);
  const all = records(metrics);
  const cpu = all.find(isCpuUtilization);
  const spec: JsonObject = { ...rest };
  if (cpu) spec['targetCPUUtilizationPercentage'] = fields(fields(cpu['resource'])['target'])['averageUtilization'];
  const others = all.filter((metric) => metric !== cpu);
  const annotations: Record<string, string> = { ...autoscaler.metadata.annotations };
  if (others.length > 0) annotations[METRICS_ANNOTATION] = metricsText(others);
  if (record(behavior)) annotations[BEHAVIOR_ANNOTATION] = behaviorText(fields(behavior));
  const metadata = { ...autoscaler.metadata };
  if (Object.keys(annotations).length > 0) metadata.annotations = annotations;
  const view: JsonObject = {
    currentReplicas: integer(status['currentReplicas']) ?? 0,
    desiredReplicas: integer(status['desiredReplicas']) ?? 0,
  };
  for (const key of ['observedGeneration', 'lastScaleTime']) if (status[key] !== undefined) view[key] = status[key];
  return { ...autoscaler, apiVersion: 'autoscaling/v1', metadata, spec, status: view };
}

function toV2(autoscaler: KubeObject): KubeObject {
  const { targetCPUUtilizationPercentage, ...rest } = fields(autoscaler['spec']);
  const spec: JsonObject = { ...rest };
  const annotations: Record<string, string> = { ...autoscaler.metadata.annotations };
  const others = metricsFrom(annotations[METRICS_ANNOTATION]);
  const behavior = behaviorFrom(annotations[BEHAVIOR_ANNOTATION]);
  delete annotations[METRICS_ANNOTATION];
  delete annotations[BEHAVIOR_ANNOTATION];
  const utilization = integer(targetCPUUtilizationPercentage);
  const metrics = [...others, ...(utilization === undefined ? [] : [cpuMetric(utilization)])];
  if (metrics.length > 0) spec['metrics'] = metrics;
  if (behavior !== undefined) spec['behavior'] = behavior;
  const metadata = { ...autoscaler.metadata, annotations };
  const { currentCPUUtilizationPercentage: _, ...status } = fields(autoscaler['status']);
  const converted = {
    ...autoscaler,
    apiVersion: 'autoscaling/v2',
    metadata,
    spec,
    status: { currentMetrics: null, ...status },
  };
  if (Object.keys(annotations).length > 0) return converted;
  const { annotations: _none, ...bare } = metadata;
  return { ...converted, metadata: bare };
}

/** The same autoscaler as `autoscaling/v1` or `autoscaling/v2`; what v1 cannot say travels in annotations. */
export function convertAutoscaler(autoscaler: KubeObject, apiVersion: 'autoscaling/v1' | 'autoscaling/v2'): KubeObject {
  if (autoscaler.apiVersion === apiVersion) return autoscaler;
  return apiVersion === 'autoscaling/v1' ? toV1(autoscaler) : toV2(autoscaler);
}
