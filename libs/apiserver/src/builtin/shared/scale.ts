import type { JsonObject, KubeObject } from '@capstan/meta';
import type { ScaleMapping } from '../strategy.js';
import { ensure, fields, integer, record, records, text, textMap, texts } from './json.js';

function requirement(expression: JsonObject): string {
  const key = text(expression['key']);
  const values = [...texts(expression['values'])].sort().join(',');
  switch (text(expression['operator'])) {
    case 'In':
      return `${key} in (${values})`;
    case 'NotIn':
      return `${key} notin (${values})`;
    case 'Exists':
      return key;
    default:
      return `!${key}`;
  }
}

/** A LabelSelector object as text: requirements in the order of their keys. */
export function selectorText(selector: JsonObject | undefined): string {
  if (!selector) return '';
  const labels = textMap(selector['matchLabels']);
  const parts: (readonly [string, string])[] = Object.keys(labels).map((key) => [key, `${key}=${labels[key] ?? ''}`]);
  for (const expression of records(selector['matchExpressions'])) parts.push([text(expression['key']), requirement(expression)]);
  parts.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return parts.map(([, part]) => part).join(',');
}

/** `scale` of the kinds that keep replicas at spec.replicas and status.replicas. */
export function replicasScale(selectorOf: (obj: KubeObject) => unknown = (obj) => fields(obj['spec'])['selector']): ScaleMapping {
  return {
    specReplicas: (obj) => integer(fields(obj['spec'])['replicas']) ?? 0,
    statusReplicas: (obj) => integer(fields(obj['status'])['replicas']) ?? 0,
    selector: (obj) => selectorText(record(selectorOf(obj))),
    setReplicas: (obj, replicas) => {
      ensure(obj, 'spec')['replicas'] = replicas;
    },
  };
}
