import type { Document, Scalar } from 'yaml';
import type { loadYaml } from './yaml-library.js';

type Yaml = Awaited<ReturnType<typeof loadYaml>>;

/**
 * The first key that a map of a document has a second time. The library can look for such keys itself, but compares each
 * with all before it: a text of 16,000 keys took seconds. Documents are read with `uniqueKeys: false` for this.
 */
export function repeatedKey(
  document: Document,
  { isScalar, visit }: Pick<Yaml, 'isScalar' | 'visit'>,
): Scalar | undefined {
  let found: Scalar | undefined;
  visit(document, {
    Map(_key, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) found ??= key;
        seen.add(key.value);
      }
      return found === undefined ? undefined : visit.BREAK;
    },
  });
  return found;
}
