import type { ResourceStrategy } from './strategy.js';
import { specAndStatus } from './base.js';

const DEFAULT = specAndStatus({});
const STRATEGIES = new Map<string, ResourceStrategy>();

/** The strategy of a built-in resource (`group` is empty for core); a plain spec-and-status one for kinds not listed. */
export function strategyOf(group: string, resource: string): ResourceStrategy {
  return STRATEGIES.get(`${group}/${resource}`) ?? DEFAULT;
}
