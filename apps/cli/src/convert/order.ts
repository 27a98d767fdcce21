import { compareBytes } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import {
  CLUSTER_API_MEMBER,
  MACHINE_API_MEMBER,
  PAUSED_ANNOTATION,
  PAUSED_AS_COPY,
} from '@capstan/convert/machine-api';
import type { Entry } from './entry.js';
import { groupOf, isObject, kindOf, textAt } from './model.js';

/**
 * What has to be there before what: whatever is referred to before what refers to it, and machines before the sets that
 * adopt them, which would make new ones otherwise.
 */
const LAST: readonly string[] = ['Machine', 'MachineSet', 'ControlPlaneMachineSet', 'MachineHealthCheck'];

function rank(object: JsonObject): number {
  const kind = kindOf(object);
  const late = LAST.indexOf(kind);
  if (late !== -1) return late + 2;
  return kind.endsWith('Template') ? 0 : 1;
}

/** All that is to be written, in the order in which it is to be applied. */
export function inApplyOrder(entries: readonly Entry[]): JsonObject[] {
  const byRank: JsonObject[][] = [];
  for (const { objects } of entries) for (const object of objects) (byRank[rank(object)] ??= []).push(object);
  return byRank.flat();
}

/** A Secret that has to be there, by namespace and name. */
export interface NeededSecret {
  readonly namespace: string;
  readonly name: string;
}

const SPECS = [
  ['spec'],
  ['spec', 'template', 'spec'],
  ['spec', 'template', MACHINE_API_MEMBER, 'spec'],
  ['spec', 'template', CLUSTER_API_MEMBER, 'spec'],
];
const SECRETS = [
  ['bootstrap', 'dataSecretName'],
  ['providerSpec', 'value', 'userDataSecret', 'name'],
  ['providerSpec', 'value', 'credentialsSecret', 'name'],
];

/** The Secrets that what is written names, in the namespace of its machines: they are not written, and not read. */
export function neededSecrets(objects: readonly JsonObject[], namespace: string): NeededSecret[] {
  const found = new Map<string, NeededSecret>();
  for (const object of objects) {
    for (const spec of SPECS)
      for (const secret of SECRETS) {
        const name = textAt(object, ...spec, ...secret);
        if (name !== '') found.set(name, { namespace, name });
      }
  }
  return [...found.values()].toSorted((a, b) => compareBytes(a.name, b.name));
}

/** The object as controllers of Cluster API leave it alone; templates have none. */
export function asPaused(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!groupOf(object).endsWith('cluster.x-k8s.io') || kindOf(object).endsWith('Template')) return object;
  if (!isObject(metadata)) return object;
  const annotations = isObject(metadata['annotations']) ? metadata['annotations'] : {};
  // Only health checks can be paused in both APIs: theirs shows whose pause it is.
  const pause = kindOf(object) === 'MachineHealthCheck' ? PAUSED_AS_COPY : '';
  return { ...object, metadata: { ...metadata, annotations: { [PAUSED_ANNOTATION]: pause, ...annotations } } };
}
