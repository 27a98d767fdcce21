/** How the v1 view of an autoscaler spells metrics in its annotation: flat, as alpha versions had them. */
import { maxObjectDepth, parseJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { fields, record, records } from '../shared/json.js';

/** The members that are there, in this order. */
function present(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

type Spelling = {
  readonly flatten: (
    source: Readonly<JsonObject>,
    target: Readonly<JsonObject>,
    metric: Readonly<JsonObject>,
  ) => JsonObject;
  readonly restore: (flat: Readonly<JsonObject>) => JsonObject;
};

function resourceTarget(flat: Readonly<JsonObject>): JsonObject {
  const { targetAverageUtilization: averageUtilization, targetAverageValue: averageValue } = flat;
  return present({
    type: averageUtilization === undefined ? 'AverageValue' : 'Utilization',
    averageValue,
    averageUtilization,
  });
}

const SPELLINGS: Readonly<Record<string, Spelling>> = {
  object: {
    flatten: ({ describedObject }, target, metric) =>
      present({
        target: describedObject,
        metricName: metric['name'],
        targetValue: target['value'] ?? '0',
        selector: metric['selector'],
        averageValue: target['averageValue'],
      }),
    restore: (flat) => ({
      describedObject: flat['target'],
      target: present({
        type: flat['averageValue'] === undefined ? 'Value' : 'AverageValue',
        value: flat['targetValue'],
        averageValue: flat['averageValue'],
      }),
      metric: present({ name: flat['metricName'], selector: flat['selector'] }),
    }),
  },
  pods: {
    flatten: (_source, target, metric) =>
      present({
        metricName: metric['name'],
        targetAverageValue: target['averageValue'] ?? '0',
        selector: metric['selector'],
      }),
    restore: (flat) => ({
      metric: present({ name: flat['metricName'], selector: flat['selector'] }),
      target: { type: 'AverageValue', averageValue: flat['targetAverageValue'] },
    }),
  },
  resource: {
    flatten: ({ name }, target) =>
      present({
        name,
        targetAverageUtilization: target['averageUtilization'],
        targetAverageValue: target['averageValue'],
      }),
    restore: (flat) => ({ name: flat['name'], target: resourceTarget(flat) }),
  },
  containerResource: {
    flatten: ({ name, container }, target) =>
      present({
        name,
        targetAverageUtilization: target['averageUtilization'],
        targetAverageValue: target['averageValue'],
        container,
      }),
    restore: (flat) => ({ name: flat['name'], target: resourceTarget(flat), container: flat['container'] }),
  },
  external: {
    flatten: (_source, target, metric) =>
      present({
        metricName: metric['name'],
        metricSelector: metric['selector'],
        targetValue: target['value'],
        targetAverageValue: target['averageValue'],
      }),
    restore: (flat) => ({
      metric: present({ name: flat['metricName'], selector: flat['metricSelector'] }),
      target: present({
        type: flat['targetValue'] === undefined ? 'AverageValue' : 'Value',
        value: flat['targetValue'],
        averageValue: flat['targetAverageValue'],
      }),
    }),
  },
};

/** The metrics of v2 as the annotation holds them. */
export function metricsText(metrics: readonly JsonObject[]): string {
  return JSON.stringify(
    metrics.map((each) => {
      const flat: JsonObject = { type: each['type'] };
      for (const [key, { flatten }] of Object.entries(SPELLINGS)) {
        const source = record(each[key]);
        if (source !== undefined) flat[key] = flatten(source, fields(source['target']), fields(source['metric']));
      }
      return flat;
    }),
  );
}

/** The metrics of v2 that an annotation stands for; none where it cannot be read. */
export function metricsFrom(json: string | undefined): JsonObject[] {
  if (json === undefined) return [];
  let value: unknown;
  try {
    ({ value } = parseJson(json, { maxDepth: maxObjectDepth / 2 }));
  } catch {
    return [];
  }
  return records(value).map((flat) => {
    const metric: JsonObject = { type: flat['type'] };
    for (const [key, { restore }] of Object.entries(SPELLINGS)) {
      const source = record(flat[key]);
      if (source !== undefined) metric[key] = restore(source);
    }
    return metric;
  });
}
