import type { Meanings } from '../model/index.js';

/** What the kinds of the CRD compatibility checker and their fields mean. */
export const meanings: Meanings = {};
