import type { Scenario } from '../../scenario.js';
import { privateReadingScenarios } from './reading.js';
import { privateSharingScenarios } from './sharing.js';
import { privateWritingScenarios } from './writing.js';

/** Private kinds on a server that has the platform's, seen through a proxy. */
export const privateTypeScenarios: readonly Scenario[] = [
  ...privateReadingScenarios,
  ...privateWritingScenarios,
  ...privateSharingScenarios,
];
