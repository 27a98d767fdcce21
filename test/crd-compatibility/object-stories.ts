import type { Story } from './world.js';
export const objectStories: readonly Story[] = [];
