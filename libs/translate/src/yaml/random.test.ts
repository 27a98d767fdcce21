import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Document, isCollection, isScalar, parseAllDocuments, visit } from 'yaml';
import { CLUSTER_API_RULES, GroupMapping } from '../groups/mapping.js';
import { TranslationError } from '../errors.js';
import { fieldsOf } from '../surfaces/fields.js';
import type { Shape } from '../json/shape.js';
import { members } from '../json/shape.js';
import { rewriteYaml } from './rewrite.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const mapping = new GroupMapping(CLUSTER_API_RULES);
const renamed = (sentence: string): string => sentence.replaceAll(/[^\s"]+/g, (word) => mapping.swapAfterDot(word));
const { apiVersion, group } = fieldsOf(mapping);

/** Every `apiVersion`, `apiGroup` and `message`, but for what is in `labels`. */
const anywhere: Shape = {};
const below = (shape: Shape): Shape => Object.assign({ others: anywhere, items: anywhere }, shape);
const places = {
  apiVersion: below(apiVersion),
  apiGroup: below(group),
  message: below({ text: renamed }),
  labels: {},
};
Object.assign(anywhere, { members: members(places), others: anywhere, items: anywhere });
for (const place of [places.apiVersion, places.apiGroup, places.message]) place.members = members(places);

/** The same over values. */
function reference(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reference);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === 'labels') return [key, inner];
      if (typeof inner !== 'string') return [key, reference(inner)];
      if (key === 'apiVersion') return [key, mapping.swapApiVersion(inner)];
      if (key === 'apiGroup') return [key, mapping.swap(inner)];
      return [key, key === 'message' ? renamed(inner) : inner];
    }),
  );
}

const text = fc.oneof(
  fc.constantFrom(S, P, `${S}/v1`, `a.${P}/v1beta1`, `multi${S}/v1`, `machines.${S} "x" not found: it's ${P}`),
  fc.constantFrom(
    `one two three four five machines.${P} is there\nand on the next line ${S}/v1\n`,
    '',
    ' ',
    '- a',
    'a: b',
    '"',
    "'",
    '#',
    'é 🎉',
    '~',
    '1.0',
    '|',
  ),
  fc.string({ maxLength: 12 }),
);
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('apiVersion', 'apiGroup', 'message', 'labels', 'metadata', 'ключ') },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }).filter((name) => name !== '<<' && name !== '__proto__') },
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 5 }),
  ),
}));

interface Style {
  readonly picks: readonly number[];
  readonly indent: number;
  readonly lineWidth: number;
  readonly indentSeq: boolean;
  readonly isWindows: boolean;
}
const style: fc.Arbitrary<Style> = fc.record({
  picks: fc.array(fc.nat(11), { minLength: 1, maxLength: 30 }),
  indent: fc.constantFrom(1, 2, 4),
  lineWidth: fc.constantFrom(0, 20, 40, 80),
  indentSeq: fc.boolean(),
  isWindows: fc.boolean(),
});

const SCALAR_STYLES = ['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const;

/** Prints a value in a style made of numbers: quotes, blocks, flows and comments by turns. */
function printed(value: unknown, { picks, indent, lineWidth, indentSeq, isWindows }: Style): string {
  const document = new Document(value, { schema: 'failsafe' });
  let turn = 0;
  const pick = (): number => picks[turn++ % picks.length] ?? 0;
  visit(document, {
    Node: (at, node) => {
      const choice = pick();
      if (isScalar(node)) {
        const type = SCALAR_STYLES[choice];
        if (type !== undefined && (at !== 'key' || choice < 3)) node.type = type;
      } else if (isCollection(node)) node.flow = choice === 0;
      if (choice === 7 && at !== 'key') node.commentBefore = ` apiVersion: ${S}/v1`;
      if (choice === 8 && at !== 'key' && isScalar(node)) node.comment = ` ${P}/v1`;
    },
  });
  const source = document.toString({ indent, lineWidth, indentSeq });
  return isWindows ? source.replaceAll('\n', '\r\n') : source;
}

const read = (source: string): unknown[] =>
  parseAllDocuments(source, { schema: 'failsafe' }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0] ?? new TypeError('errors');
    return document.toJS() as unknown;
  });

const isReadable = (source: string): boolean =>
  parseAllDocuments(source, { schema: 'failsafe' }).every(({ errors }) => errors.length === 0);

const rewritten = (source: string): string => Buffer.from(rewriteYaml(Buffer.from(source), anywhere)).toString();

describe('any document in any style', () => {
  it('becomes what its JSON value would become, and comes back unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(tree, style), { minLength: 1, maxLength: 3 }), (documents) => {
        const source = documents.map(([value, look]) => printed({ value }, look)).join('---\n');
        // The printer writes some empty lists where nobody can read them.
        fc.pre(isReadable(source));
        const forth = rewritten(source);
        expect(read(forth)).toEqual(read(source).map(reference));
        // A name with an escaped line end in it is quoted again: the same text, on one line.
        if (/\\\r?\n/.test(source)) expect(read(rewritten(forth))).toEqual(read(source));
        else expect(rewritten(forth)).toBe(source);
      }),
      { numRuns: 200 },
    );
  });

  it('is read or refused whatever is in it, and never anything else', () => {
    const pieces = [
      'apiVersion',
      ': ',
      S,
      '/v1',
      '\n',
      '  ',
      '- ',
      '{',
      '}',
      '[',
      ']',
      ', ',
      '"',
      "'",
      '&a ',
      '*a',
      '|',
      '>',
      '#',
      '!!str ',
      '<<',
      '? ',
      '---\n',
      '\t',
      '\\',
      '%',
      'é',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
        try {
          const out = rewritten(parts.join(''));
          // Whatever was changed: it was a name of the one group and is one of the other.
          if (!out.includes('*a') && !out.includes('\\')) expect(out.replaceAll(P, S)).toBe(parts.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(TranslationError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
