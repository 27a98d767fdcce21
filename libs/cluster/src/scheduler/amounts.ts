import { quantityFromJson, scaledQuantity } from '@capstan/meta';
import { isSidecar, specOf } from '../workload/pod-spec.js';
import type { Container, ResourceList } from '../workload/pod-spec.js';
import type { Pod } from '../workload/resources.js';

/** How much of each resource: cpu in thousandths, anything else in units. */
export type Amounts = ReadonlyMap<string, number>;

/** Clients may write any amount; as upstream, what 64 bits cannot hold counts as the most that they can. */
const MOST = 2n ** 63n - 1n;

const NOTHING: Amounts = new Map();

/** Reads a list of quantities. */
export function amountsOf(list: ResourceList | undefined): Amounts {
  if (list === undefined) return NOTHING;
  const amounts = new Map<string, number>();
  for (const [name, text] of Object.entries(list)) {
    const amount = scaledQuantity(quantityFromJson(text), name === 'cpu' ? -3 : 0);
    amounts.set(name, Number(amount > MOST ? MOST : amount));
  }
  return amounts;
}

/** Adds (or, with a negative factor, removes) in place. */
export function addAmounts(to: Map<string, number>, amounts: Amounts, factor = 1): void {
  for (const [name, amount] of amounts) to.set(name, (to.get(name) ?? 0) + factor * amount);
}

function raise(to: Map<string, number>, amounts: Amounts): void {
  for (const [name, amount] of amounts) if (amount > (to.get(name) ?? 0)) to.set(name, amount);
}

function requestsOf({ resources }: Container): Amounts {
  // The server has copied limits over to requests where only they were given.
  return amountsOf(resources?.requests);
}

/** What a pod asks of its node: its containers together, or more while it is initialized. */
export function podRequests(pod: Pod): Amounts {
  const { containers, initContainers = [], overhead } = specOf(pod);
  const total = new Map<string, number>();
  for (const container of containers) addAmounts(total, requestsOf(container));
  const sidecars = new Map<string, number>();
  const initial = new Map<string, number>();
  for (const container of initContainers) {
    const requests = requestsOf(container);
    if (isSidecar(container)) {
      addAmounts(sidecars, requests);
      raise(initial, sidecars);
    } else {
      const together = new Map(sidecars);
      addAmounts(together, requests);
      raise(initial, together);
    }
  }
  addAmounts(total, sidecars);
  raise(total, initial);
  addAmounts(total, amountsOf(overhead));
  return total;
}
