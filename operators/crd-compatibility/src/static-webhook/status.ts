import type { Enforcement } from '../webhooks/enforcement.js';

/** Whether writes of CRDs are checked; requirements report it, and are reconciled when it changes. */
export interface EnforcementStatus {
  readonly current: () => Enforcement;
  readonly write: (now: Enforcement) => void;
}

/** Holds what was last observed: a Kubernetes object for it would be as old as the last leader. */
export function enforcementStatus(initial: Enforcement, onChange: () => void): EnforcementStatus {
  let current = initial;
  return {
    current: () => current,
    write: (now) => {
      if (now === current) return;
      current = now;
      onChange();
    },
  };
}
