import fc from 'fast-check';
import { expect, it } from 'vitest';
import { roundTrip } from '../testing/round-trips.js';

/** A slice: `npm run test:translate` takes the number it is given. */
const DOCUMENTS = 5_000;

it('takes 5,000 random documents there and back, byte for byte, however they are cut', { timeout: 600_000 }, () => {
  const first = fc.readConfigureGlobal().seed ?? 1;
  for (let index = 0; index < DOCUMENTS; index += 1) {
    const failure = roundTrip(first + index);
    // The seed of the one document is in the failure.
    if (failure !== undefined) expect(failure).toBeUndefined();
  }
});
