import type { Story } from './world.js';
export const operationStories: readonly Story[] = [];
