import { addQuantity, compareQuantity, quantityFromJson, type JsonObject, type Quantity } from '@capstan/meta';
import { fields, records } from '../../builtin/shared/json.js';

/** Amounts by the name of the resource. */
export type ResourceList = ReadonlyMap<string, Quantity>;
export type ResourceListName = 'requests' | 'limits';

/** Reads `{cpu: "1"}`. Only lists that were read already come here, so every amount parses. */
export function resourceList(value: unknown): ResourceList {
  return new Map(Object.entries(fields(value)).map(([name, amount]) => [name, quantityFromJson(amount)]));
}

/** What one container asks for. */
export function containerResources(container: Readonly<JsonObject>, which: ResourceListName): ResourceList {
  return resourceList(fields(container['resources'])[which]);
}

function addAll(total: Map<string, Quantity>, more: ResourceList): void {
  for (const [name, amount] of more) {
    const before = total.get(name);
    total.set(name, before === undefined ? amount : addQuantity(before, amount));
  }
}

function raiseTo(total: Map<string, Quantity>, least: ResourceList): void {
  for (const [name, amount] of least) {
    const before = total.get(name);
    if (before === undefined || compareQuantity(amount, before) > 0) total.set(name, amount);
  }
}

/** What a pod as a whole may ask for itself. */
const POD_LEVEL = ['cpu', 'memory'];

/**
 * What a pod requests as a whole: its containers and sidecars together, or as much as an init container needs next to the
 * sidecars before it; the pod's own resources go before that.
 */
export function podResources(spec: Readonly<JsonObject>, which: ResourceListName): ResourceList {
  const total = new Map<string, Quantity>();
  for (const container of records(spec['containers'])) addAll(total, containerResources(container, which));
  const sidecars = new Map<string, Quantity>();
  const start = new Map<string, Quantity>();
  for (const container of records(spec['initContainers'])) {
    const own = containerResources(container, which);
    if (container['restartPolicy'] === 'Always') {
      addAll(total, own);
      addAll(sidecars, own);
      raiseTo(start, sidecars);
    } else {
      const needed = new Map(own);
      addAll(needed, sidecars);
      raiseTo(start, needed);
    }
  }
  raiseTo(total, start);
  const ofPod = resourceList(fields(spec['resources'])[which]);
  for (const name of POD_LEVEL) {
    const amount = ofPod.get(name);
    if (amount !== undefined) total.set(name, amount);
  }
  return total;
}
