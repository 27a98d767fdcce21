/** `npm run test:attacks` sets it: sizes and repetitions that `npm test` takes a slice of are then taken whole. */
export const isWhole = process.env['CAPSTAN_ATTACKS'] === 'whole';

/** How much of an attack this run takes. */
export function bounded(slice: number, whole: number): number {
  return isWhole ? whole : slice;
}
