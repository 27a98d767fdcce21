/**
 * Property tests start from one seed, so that a change passes or fails by its own tests, not by luck. `CAPSTAN_SEED=random`
 * (or a number) explores elsewhere; a failure prints the seed it came from in any case.
 */
const DEFAULT_SEED = 20_261_115;

/** The seed of this run. */
export function propertySeed(): number {
  const given = process.env['CAPSTAN_SEED'];
  return given === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(given ?? DEFAULT_SEED);
}
