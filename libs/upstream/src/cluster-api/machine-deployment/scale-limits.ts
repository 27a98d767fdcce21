import type { IntOrPercent, MachineDeployment } from '../types.js';

/** A number of replicas given as such or in percent of all. */
export function scaled(value: IntOrPercent, total: number, round: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const match = /^(\d+)%$/.exec(value);
  if (match === null) throw new BadAmount(`invalid value for IntOrString: ${value} is neither a number nor in percent`);
  const exact = (Number(match[1]) * total) / 100;
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
}

/** An amount cannot be read. */
export class BadAmount extends Error {
  override readonly name = 'BadAmount';
}

/** How many there should be. */
export function wanted({ spec }: { readonly spec: { replicas?: number } }): number {
  return spec.replicas ?? 1;
}

export function strategyOf({ spec }: MachineDeployment): string {
  return spec.rollout?.strategy?.type || 'RollingUpdate';
}

/** How many more, and how many fewer, there may be during a rollout. */
export function rolloutLimits(deployment: MachineDeployment): { maxSurge: number; maxUnavailable: number } {
  if (strategyOf(deployment) !== 'RollingUpdate') return { maxSurge: 0, maxUnavailable: 0 };
  const total = wanted(deployment);
  const { maxSurge = 1, maxUnavailable = 0 } = deployment.spec.rollout?.strategy?.rollingUpdate ?? {};
  const surge = scaled(maxSurge, total, 'up');
  const unavailable = scaled(maxUnavailable, total, 'down');
  // With neither, nothing could ever be replaced.
  const least = surge === 0 && unavailable === 0 ? 1 : unavailable;
  return { maxSurge: surge, maxUnavailable: Math.min(least, total) };
}
