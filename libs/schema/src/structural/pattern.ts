/** Regular expressions of schemas: RE2 syntax, matched in linear time whatever the text. */
import { RE2JS } from 're2js';

/** A compiled pattern, or why it does not compile. */
export type Pattern = { readonly test: (text: string) => boolean } | { readonly error: string };

/** Schemas of one API repeat a few patterns hundreds of times; beyond this many the cache starts over. */
const cacheLimit = 4096;
const cache = new Map<string, Pattern>();

function compile(pattern: string): Pattern {
  try {
    const compiled = RE2JS.compile(pattern);
    return { test: (text) => compiled.test(text) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Compiles a pattern, or finds it compiled. */
export function patternOf(pattern: string): Pattern {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  if (cache.size >= cacheLimit) cache.clear();
  const fresh = compile(pattern);
  cache.set(pattern, fresh);
  return fresh;
}
