import type { Meanings } from '../model/index.js';

/** What the kinds of the configuration of a cluster and their fields mean. */
export const meanings: Meanings = {};
