import type { CST, Document } from 'yaml';
import { Composer, Parser } from 'yaml';
import { TranslationError } from '../errors.js';

/** The reader goes down by calling itself, and a process that runs out of stack in it may not survive. */
const DEEPEST = 200;

/** The documents of a source. All scalars are strings in them: a group is one in every schema. */
export function readDocuments(source: string): readonly Document[] {
  const tokens = [...new Parser().parse(source)];
  refuseDepth(tokens);
  const composer = new Composer({
    schema: 'failsafe',
    // Servers take what the specification forbids and everybody understands.
    strict: false,
    resolveKnownTags: false,
    uniqueKeys: false,
    keepSourceTokens: true,
  });
  return [...composer.compose(tokens, true, source.length)];
}

function refuseDepth(tokens: readonly CST.Token[]): void {
  let level = tokens;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) throw new TranslationError('UNSUPPORTED', `the YAML is nested more than ${DEEPEST} deep`);
    level = level.flatMap(below);
  }
}

function below(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap((item) => [item.key, item.value].filter((each) => each !== undefined && each !== null));
}
