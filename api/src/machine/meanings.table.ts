import type { Meanings } from '../model/index.js';

/** What the kinds of the Machine API and their fields mean. */
export const meanings: Meanings = {};
