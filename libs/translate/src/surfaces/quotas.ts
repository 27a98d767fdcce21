import type { GroupMapping } from '../groups/mapping.js';
import type { Shape } from '../json/shape.js';
import type { Fields } from './fields.js';
import { objectWith } from './objects.js';
import type { Surface } from './surface.js';

const COUNT = 'count/';

/** `count/machines.cluster.x-k8s.io`, the key of a quota. */
export function swapQuotaKey(mapping: GroupMapping, key: string): string {
  return key.startsWith(COUNT) ? COUNT + mapping.swapAfterDot(key.slice(COUNT.length)) : key;
}

/** ResourceQuota: its keys carry groups. */
export function resourceQuota(fields: Fields): Surface {
  const counted: Shape = { keys: (key) => swapQuotaKey(fields.mapping, key) };
  return objectWith(fields, { 'spec.hard': counted, 'status.hard': counted, 'status.used': counted });
}
