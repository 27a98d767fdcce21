/** The store's name of a resource as events and states of a simulation spell it: `pods`, `apps/deployments`. */
export function resourceName(stored: string): string {
  return stored.startsWith('/') ? stored.slice(1) : stored;
}
