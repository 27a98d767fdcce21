/** Regular expressions of schemas: RE2 syntax, matched in linear time whatever the text. */
import { compilePattern } from '../../cel/values/regex.js';
import { CelError } from '../../cel/values/values.js';

/** A compiled pattern, or why it does not compile. */
export type Pattern = { readonly test: (text: string) => boolean } | { readonly error: string };

/** Compiles a pattern, or finds it compiled: schemas of one API repeat a few patterns hundreds of times. */
export function patternOf(pattern: string): Pattern {
  const compiled = compilePattern(pattern);
  return compiled instanceof CelError ? { error: compiled.message } : compiled;
}
