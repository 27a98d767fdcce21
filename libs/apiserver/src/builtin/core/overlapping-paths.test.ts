import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OverlappingPaths } from './overlapping-paths.js';

/** The expected warnings: each path compared with all before it. */
function expectedPairs(paths: readonly string[]): string[] {
  const trimmed = paths.map((path) => path.replace(/\/+$/, ''));
  const isWithin = (path: string, folder: string): boolean => `${path}/`.startsWith(`${folder}/`);
  return trimmed.flatMap((path, at) =>
    trimmed
      .slice(0, at)
      .filter((other) => path !== '' && other !== '' && (isWithin(path, other) || isWithin(other, path)))
      .map((other) => `${JSON.stringify(path)} with ${JSON.stringify(other)}`),
  );
}

describe('overlapping paths', () => {
  it('are those of which one is the other or inside it', () => {
    const part = fc.constantFrom('a', 'b', 'ab', '');
    const path = fc.array(part, { maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.array(path, { maxLength: 10 }), (paths) => {
        const known = new OverlappingPaths();
        expect(paths.flatMap((each) => known.add({ path: each, source: '' }))).toEqual(expectedPairs(paths));
      }),
    );
  });

  it('are not reported more often than is shown', () => {
    const known = new OverlappingPaths();
    const warnings = Array.from({ length: 1000 }, () => known.add({ path: 'a', source: 'ConfigMap "c"' }));
    expect(warnings.flat()).toHaveLength(128);
    expect(warnings[1]).toEqual(['"a" (ConfigMap "c") with "a" (ConfigMap "c")']);
  });
});
