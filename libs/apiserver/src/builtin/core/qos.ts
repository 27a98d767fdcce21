import type { JsonObject } from '@capstan/meta';
import { fields, record, records } from '../shared/json.js';
import { nanosOf } from '../shared/quantity.js';

const COMPUTE = ['cpu', 'memory'];

/** The quality-of-service class that requests and limits of cpu and memory amount to. */
export function qosClass(spec: Readonly<JsonObject>): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const own = record(spec['resources']);
  const holders = own
    ? [own]
    : [...records(spec['containers']), ...records(spec['initContainers'])].map((container) =>
        fields(container['resources']),
      );
  const requests = new Map<string, bigint>();
  const limits = new Map<string, bigint>();
  let guaranteed = true;
  for (const holder of holders) {
    let limited = 0;
    for (const name of COMPUTE) {
      const request = nanosOf(fields(holder['requests'])[name]);
      if (request > 0n) requests.set(name, (requests.get(name) ?? 0n) + request);
      const limit = nanosOf(fields(holder['limits'])[name]);
      if (limit <= 0n) continue;
      limited++;
      limits.set(name, (limits.get(name) ?? 0n) + limit);
    }
    if (limited < COMPUTE.length) guaranteed = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const same = requests.size === limits.size && [...requests].every(([name, amount]) => limits.get(name) === amount);
  return guaranteed && same ? 'Guaranteed' : 'Burstable';
}
