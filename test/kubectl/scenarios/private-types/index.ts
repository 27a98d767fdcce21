import type { Scenario } from '../../scenario.js';
import { privateReadingScenarios } from './reading.js';
import { privateSharingScenarios } from './sharing.js';
import { privateWritingScenarios } from './writing.js';

/** Private kinds beside the platform's, seen through a proxy. */
export const privateTypeScenarios: readonly Scenario[] = [
  ...privateReadingScenarios,
  ...privateWritingScenarios,
  ...privateSharingScenarios,
];
