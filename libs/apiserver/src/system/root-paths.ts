import { ISSUER_PATHS } from './issuer.js';

/** What the root names: everything that can be asked for without knowing a resource. */
export function rootPaths(checks: Iterable<string>, groups: readonly string[]): string[] {
  const health = [...checks].flatMap((name) => [`/healthz/${name}`, `/livez/${name}`, `/readyz/${name}`]);
  const fixed = ['/apis', '/apis/', '/healthz', '/livez', '/metrics', '/openapi/v3', '/readyz', '/version'];
  return [...ISSUER_PATHS, ...fixed, ...groups, ...health].sort();
}
