/** How long events of one object are collected: nodes register by the dozen, and each updates itself several times. */
export const GATHER_MS = 250;
