/** How large a fleet is. */
export interface FleetSize {
  readonly clusters: number;
  readonly poolsEach: number;
  readonly machinesEach: number;
}

/** What has been promised of such a fleet. */
export const FLEET: FleetSize = { clusters: 100, poolsEach: 2, machinesEach: 25 };
/** Enough to see whether it works at all. */
export const SMALL_FLEET: FleetSize = { clusters: 2, poolsEach: 2, machinesEach: 3 };

/** The machines of one cluster. */
export function machinesOf({ machinesEach, poolsEach }: FleetSize): number {
  return poolsEach * machinesEach;
}

/** `100x2x25`: the argument of a process. */
export function sizeText({ clusters, machinesEach, poolsEach }: FleetSize): string {
  return `${clusters}x${poolsEach}x${machinesEach}`;
}

/** Parses the argument of a process. */
export function parseSize(text: string): FleetSize {
  const [clusters = Number.NaN, poolsEach = Number.NaN, machinesEach = Number.NaN] = text.split('x').map(Number);
  if (![clusters, poolsEach, machinesEach].every((count) => Number.isInteger(count) && count > 0))
    throw new Error(`not a size of a fleet: ${text}`);
  return { clusters, poolsEach, machinesEach };
}
