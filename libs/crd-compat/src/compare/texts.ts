/** Texts of two nodes: lengths and patterns, and what these and formats say of each other. */
import { lookUp } from '@capstan/meta';
import { type SchemaNode, effectiveFormat } from '@capstan/schema';
import { type Inclusion, type Language, inclusionOf, lengthLanguage, patternLanguage } from './languages.js';
import { compareSize, textLimits } from './limits.js';
import type { Pair } from './schemas.js';
import { type Draft, type Trial, shownPath } from '../drafts/site.js';

/**
 * The fewest and most characters of texts of a format, where the server's check sets them. Times, durations and IPv4
 * addresses may have any number of digits there, numbers of books and cards any number of separators.
 */
const formatLengths: Readonly<Record<string, readonly [least: number, most: number]>> = {
  bsonobjectid: [24, 24],
  byte: [4, Infinity],
  cidr: [4, Infinity],
  date: [10, 10],
  datetime: [20, Infinity],
  duration: [1, Infinity],
  hexcolor: [3, 7],
  hostname: [1, 255],
  ipv4: [7, Infinity],
  ipv6: [2, 45],
  k8slongname: [1, 253],
  k8sshortname: [1, 63],
  mac: [12, 59],
  ssn: [11, 11],
  uuid: [32, 36],
  uuid3: [32, 36],
  uuid4: [32, 36],
  uuid5: [32, 36],
};

/** The lengths that a format lets pass. */
export function formatLength(node: SchemaNode, minor: number): readonly [least: number, most: number] {
  const format = effectiveFormat(node.intOrString ? '' : node.type, node.format, minor).replaceAll('-', '');
  return lookUp(formatLengths, format) ?? [0, Infinity];
}

/** Lengths beyond this are not counted out character by character. */
const MAX_COUNTED = 1024;

/** Supersets of the texts of a node, whose intersection is one as well. */
function languagesOf(node: SchemaNode, minor: number): readonly Language[] {
  const [least, most] = formatLength(node, minor);
  const atLeast = Math.max(node.minLength ?? 0, least);
  const atMost = Math.min(node.maxLength ?? Infinity, most);
  const lengths = lengthLanguage(atLeast > MAX_COUNTED ? 0 : atLeast, atMost > MAX_COUNTED ? Infinity : atMost);
  const pattern = node.pattern === '' ? undefined : patternLanguage(node.pattern);
  return pattern === undefined ? [lengths] : [lengths, pattern];
}

function inclusion(node: SchemaNode, outer: Language | undefined, minor: number): Inclusion {
  if (outer === undefined) return { kind: 'undecided' };
  const [lengths, ...patterns] = languagesOf(node, minor);
  // Counting characters makes many states, and is seldom needed.
  const found = inclusionOf(patterns, outer);
  return found.kind === 'included' || lengths === undefined ? found : inclusionOf([lengths, ...patterns], outer);
}

/** An example that shows the difference, if one was found. */
function exampleOf(found: Inclusion): readonly Trial[] {
  return found.kind === 'outside' ? [{ kind: 'value', value: found.text }] : [];
}

function comparePatterns({ required, live, place }: Pair, minor: number): readonly Draft[] {
  const wanted = required.pattern;
  const given = live.pattern;
  if (wanted === given) return [];
  const { site } = place;
  const at = shownPath(site);
  const about = { site, ...(wanted !== '' && { required: wanted }), ...(given !== '' && { live: given }) };
  const removed = { rule: 'pattern-removed', ...about } as const;
  if (given === '') return [{ ...removed, message: `${at} has no pattern any more` }];
  const found = inclusion(required, patternLanguage(given), minor);
  if (found.kind === 'included') {
    return wanted === '' || isEqual(required, given)
      ? []
      : [{ ...removed, message: `the pattern of ${at} may take more texts now` }];
  }
  const message = wanted === '' ? `${at} must match a pattern now` : `${at} must match another pattern`;
  return [{ rule: 'pattern-changed', message, ...about, trials: [...exampleOf(found), { kind: 'sample' }] }];
}

/** Whether the patterns take the same texts. */
function isEqual({ pattern }: SchemaNode, other: string): boolean {
  const inner = patternLanguage(other);
  const outer = patternLanguage(pattern);
  return inner !== undefined && outer !== undefined && inclusionOf([inner], outer).kind === 'included';
}

/** Whether a new limit of the length follows from the pattern, the format or the limits of the requirement. */
function withoutImplied(draft: Draft, { live, required }: Pair, minor: number): readonly Draft[] {
  const isUpper = draft.rule === 'max-length-tightened';
  if (!isUpper && draft.rule !== 'min-length-tightened') return [draft];
  const [least, most] = formatLength(required, minor);
  const limit = (isUpper ? live.maxLength : live.minLength) ?? 0;
  if (isUpper ? most <= limit : least >= limit) return [];
  if (required.pattern === '' || limit > MAX_COUNTED) return [draft];
  const found = inclusion(required, isUpper ? lengthLanguage(0, limit) : lengthLanguage(limit, Infinity), minor);
  if (found.kind === 'included') return [];
  return [{ ...draft, trials: [...exampleOf(found), ...(draft.trials ?? [])] }];
}

/** What is found about lengths and patterns. */
export function compareTexts(pair: Pair, minor: number): readonly Draft[] {
  const { required, live } = pair;
  const limits = textLimits
    .filter(({ keyword }) => required[keyword] !== live[keyword])
    .map((limit) => compareSize(pair, limit, true))
    .filter((draft) => draft !== undefined)
    .flatMap((draft) => withoutImplied(draft, pair, minor));
  return [...limits, ...comparePatterns(pair, minor)];
}
