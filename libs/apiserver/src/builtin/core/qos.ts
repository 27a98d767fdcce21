import type { JsonObject } from '@capstan/meta';
import { fields, record, records } from '../shared/json.js';
import { nanosOf } from '../shared/quantity.js';

const COMPUTE = ['cpu', 'memory'];

/** Who asks for resources: the pod itself where it does, else its containers. */
function holdersOf(spec: Readonly<JsonObject>): readonly Readonly<JsonObject>[] {
  const own = record(spec['resources']);
  if (own) return [own];
  const containers = [...records(spec['containers']), ...records(spec['initContainers'])];
  return containers.map((container) => fields(container['resources']));
}

/** The quality-of-service class that requests and limits of cpu and memory amount to. */
export function qosClass(spec: Readonly<JsonObject>): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const requests = new Map<string, bigint>();
  const limits = new Map<string, bigint>();
  let guaranteed = true;
  for (const holder of holdersOf(spec)) {
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
  return guaranteed && isSame(requests, limits) ? 'Guaranteed' : 'Burstable';
}

function isSame(a: ReadonlyMap<string, bigint>, b: ReadonlyMap<string, bigint>): boolean {
  return a.size === b.size && [...a].every(([name, amount]) => b.get(name) === amount);
}
