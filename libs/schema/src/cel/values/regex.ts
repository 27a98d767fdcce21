/** Regular expressions of RE2, compiled once per pattern. The engine is loaded when the first one is needed. */
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { CelError } from './values.js';
import type { CelValue } from './values.js';

const load = createRequire(import.meta.url);
let engine: typeof import('re2js') | undefined;

const compiled = new Map<string, RE2JS | CelError>();
const maxCompiled = 2000;

/** The compiled pattern, or what is wrong with it, in Go's words. */
export function compilePattern(pattern: string): RE2JS | CelError {
  let regex = compiled.get(pattern);
  if (regex !== undefined) return regex;
  engine ??= load('re2js') as typeof import('re2js');
  try {
    regex = engine.RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    regex = new CelError(error.message);
  }
  if (compiled.size >= maxCompiled) compiled.clear();
  compiled.set(pattern, regex);
  return regex;
}

/** Whether the pattern matches anywhere in the text. */
export function matches(text: string, pattern: string): CelValue {
  const regex = compilePattern(pattern);
  return regex instanceof CelError ? regex : regex.test(text);
}

/** The first match, empty when there is none. */
export function find(text: string, pattern: string): CelValue {
  const regex = compilePattern(pattern);
  if (regex instanceof CelError) return new CelError(`Illegal regex: ${regex.message}`);
  const matcher = regex.matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

/** All matches, or the first so many; a negative limit is none. */
export function findAll(text: string, pattern: string, limit: number): CelValue {
  const regex = compilePattern(pattern);
  if (regex instanceof CelError) return new CelError(`Illegal regex: ${regex.message}`);
  const matcher = regex.matcher(text);
  const found: string[] = [];
  let last = -1;
  while ((limit < 0 || found.length < limit) && matcher.find()) {
    // Go drops an empty match right behind the one before.
    const empty = matcher.start() === matcher.end();
    if (!empty || matcher.start() !== last) found.push(matcher.group() ?? '');
    last = matcher.end();
  }
  return found;
}
