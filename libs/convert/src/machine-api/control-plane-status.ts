/** Status of a set of control plane machines: the same kind has it in both APIs. */
import type { JsonObject } from '@capstan/meta';
import { getAt, isRecord } from '../engine/path.js';

/** What the controller of the set counts. */
export const CONTROL_PLANE_COUNTS = ['replicas', 'readyReplicas', 'updatedReplicas', 'unavailableReplicas'] as const;

/** Its conditions. All others are about one of the copies: that it is paused, or synchronized. */
const CONDITIONS: ReadonlySet<unknown> = new Set(['Available', 'Degraded', 'Progressing']);

/** The generation is that of the other copy. */
function withoutGeneration(condition: JsonObject): JsonObject {
  const { observedGeneration: _, ...shared } = condition;
  return shared;
}

/** What of the status of one copy the other one reports, in either direction. */
export function controlPlaneStatus(set: JsonObject): JsonObject {
  const made: JsonObject = {};
  for (const name of CONTROL_PLANE_COUNTS) {
    const value = getAt(set, ['status', name]);
    if (typeof value === 'number') made[name] = value;
  }
  const found = getAt(set, ['status', 'conditions']);
  const conditions = (Array.isArray(found) ? found : [])
    .filter(isRecord)
    .filter(({ type }) => CONDITIONS.has(type))
    .map(withoutGeneration);
  if (conditions.length > 0) made['conditions'] = conditions;
  return made;
}
