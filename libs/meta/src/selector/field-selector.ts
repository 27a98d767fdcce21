/** Field selectors: `metadata.name=a,status.phase!=Running`. */
import { compareBytes } from '../json/compare-bytes.js';
import { SelectorError } from './requirement.js';

/** One condition on a field's text. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Gives the text of a field; a field that is absent or unset is the empty string. */
export type FieldGetter = (field: string) => string;

/** A compiled field selector. Immutable; share it freely. */
export class FieldMatcher {
  readonly requirements: readonly FieldRequirement[];

  private constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
  }

  /** Matches every object. */
  static readonly everything = new FieldMatcher([]);

  /** Matches what satisfies all the conditions. */
  static of(requirements: readonly FieldRequirement[]): FieldMatcher {
    return requirements.length === 0 ? FieldMatcher.everything : new FieldMatcher(requirements);
  }

  /** Whether an object with these fields is selected. */
  matches(get: FieldGetter): boolean {
    const { requirements } = this;
    for (let i = 0; i < requirements.length; i++) {
      const requirement = requirements[i];
      if (requirement === undefined) continue;
      if ((get(requirement.field) === requirement.value) !== (requirement.operator === '=')) return false;
    }
    return true;
  }

  /** Whether every object is selected. */
  isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  /** The value an equality demands of a field, if one does. */
  requiresExactMatch(field: string): string | undefined {
    return this.requirements.find((requirement) => requirement.field === field && requirement.operator === '=')?.value;
  }

  /** The selector with its fields and values rewritten; a condition made all empty is dropped. `rewrite` may throw. */
  transform(
    rewrite: (field: string, value: string) => { readonly field: string; readonly value: string },
  ): FieldMatcher {
    const requirements: FieldRequirement[] = [];
    for (const { field, operator, value } of this.requirements) {
      const next = rewrite(field, value);
      if (next.field !== '' || next.value !== '') requirements.push({ field: next.field, operator, value: next.value });
    }
    return FieldMatcher.of(requirements);
  }

  /** The canonical text. */
  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
      .join(',');
  }
}

/** A text as a value in a field selector. */
export function escapeFieldValue(text: string): string {
  return text.replace(/[\\,=]/g, '\\$&');
}

/** The text a value in a field selector stands for; throws {@link SelectorError}. */
export function unescapeFieldValue(text: string): string {
  if (!/[\\,=]/.test(text)) return text;
  let result = '';
  let escaped = false;
  for (const character of text) {
    const special = character === '\\' || character === ',' || character === '=';
    if (escaped) {
      if (!special) throw new SelectorError(`invalid field selector: invalid escape sequence: \\${character}`);
      result += character;
      escaped = false;
    } else if (character === '\\') escaped = true;
    else if (special) {
      // The server prints the character's number.
      const code = character.codePointAt(0) ?? 0;
      throw new SelectorError(`invalid field selector: unescaped character in value: ${code}`);
    } else result += character;
  }
  if (escaped) throw new SelectorError('invalid field selector: invalid escape sequence: \\');
  return result;
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '\\') i++;
    else if (character === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

const operator = /!=|==?/;

/** The selector a text means; throws {@link SelectorError}. Empty terms are skipped, the others sorted. */
export function parseFieldSelector(text: string): FieldMatcher {
  if (text === '') return FieldMatcher.everything;
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text).sort(compareBytes)) {
    if (term === '') continue;
    const match = operator.exec(term);
    if (match === null) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
    const value = unescapeFieldValue(term.slice(match.index + match[0].length));
    const field = term.slice(0, match.index);
    // A lone operator has neither key nor value; the server drops it.
    if (field === '' && value === '') continue;
    requirements.push({ field, operator: match[0] === '!=' ? '!=' : '=', value });
  }
  return FieldMatcher.of(requirements);
}
