import { compileLabelSelector } from '@capstan/meta';
import type { KubeObject, LabelSelector } from '@capstan/meta';
import type { ScaleMapping } from '../strategy.js';
import { ensure, fields, integer } from './json.js';

/** `scale` of the kinds that keep replicas at spec.replicas and status.replicas. */
export function replicasScale(
  selectorOf: (obj: KubeObject) => unknown = (obj) => fields(obj['spec'])['selector'],
): ScaleMapping {
  return {
    specReplicas: (obj) => integer(fields(obj['spec'])['replicas']) ?? 0,
    statusReplicas: (obj) => integer(fields(obj['status'])['replicas']) ?? 0,
    selector: (obj) => compileLabelSelector(selectorOf(obj) as LabelSelector | undefined).toString(),
    setReplicas: (obj, replicas) => {
      ensure(obj, 'spec')['replicas'] = replicas;
    },
  };
}
