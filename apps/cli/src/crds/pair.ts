import type { SourceObject } from '@capstan/translate/mirror';
import type { NamedRequirement } from './requirements.js';

/** A requirement and the definition it is about. */
export interface Pair {
  readonly requirement: NamedRequirement;
  readonly definition: SourceObject;
}

/** The file alone, and the line in it. */
export function placeIn(where: string): { readonly source: string; readonly line?: number } {
  const [, source, line] = /^(.*), document \d+, line (\d+)$/.exec(where) ?? [];
  return source === undefined ? { source: where } : { source, line: Number(line) };
}
