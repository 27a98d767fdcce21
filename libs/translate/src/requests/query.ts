import { isPlainQuery, readQuery } from '@capstan/meta/query';
import type { QueryParameter } from '@capstan/meta/query';

/** A query that can be read in one way only. */
export interface Query {
  readonly parameters: readonly QueryParameter[];
  /** Rewritten from the parameters, unless nothing in it can be written in two ways. */
  readonly text: string;
}

/** Parameters of which kube-apiserver reads the first alone. */
const SINGLE: ReadonlySet<string> = new Set([
  'allowWatchBookmarks',
  'continue',
  'fieldManager',
  'fieldSelector',
  'fieldValidation',
  'force',
  'gracePeriodSeconds',
  'hash',
  'includeObject',
  'labelSelector',
  'limit',
  'orphanDependents',
  'pretty',
  'propagationPolicy',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'shardSelector',
  'timeout',
  'timeoutSeconds',
  'watch',
]);

/** Reads a query; gives the reason as text when two readers may understand two things. */
export function understoodQuery(query: string): Query | string {
  const { parameters, fault = repeated(parameters) } = readQuery(query);
  if (fault !== undefined) return fault;
  return { parameters, text: isPlainQuery(query) ? query : writtenQuery(parameters) };
}

function repeated(parameters: readonly QueryParameter[]): string | undefined {
  if (parameters.length < 2) return undefined;
  const seen = new Set<string>();
  for (const [name] of parameters) {
    if (seen.has(name) && SINGLE.has(name)) return `it has ${name} more than once`;
    seen.add(name);
  }
  return undefined;
}

const writtenQuery = (parameters: readonly QueryParameter[]): string =>
  parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');

/** Whether a query asks for a watch: anything but a plain no is yes. */
export function asksForWatch({ parameters }: Query): boolean {
  const value = parameters.find(([name]) => name === 'watch')?.[1];
  return value !== undefined && value !== '0' && value.toLowerCase() !== 'false';
}

/** What becomes of the value of a parameter. */
export type ParameterChange = (name: string, value: string) => string;

/** The text of a query with some of its values changed. */
export function changedQuery({ parameters, text }: Query, change: ParameterChange): string {
  let isChanged = false;
  const changed = parameters.map(([name, value]): QueryParameter => {
    const becomes = change(name, value);
    isChanged ||= becomes !== value;
    return [name, becomes];
  });
  return isChanged ? writtenQuery(changed) : text;
}

/** Renames one value that a field is compared with. */
export type FieldChange = (field: string, value: string) => string;

/** `a=b,c!=d`, with backslashes before commas, equals signs and backslashes of values. */
export function swapFieldSelector(selector: string, change: FieldChange): string {
  return splitTerms(selector)
    .map((text) => {
      const term = readTerm(text);
      // What cannot be read is for the server to refuse.
      if (term?.value === undefined) return text;
      const swapped = change(term.field, term.value);
      return swapped === term.value ? text : `${term.field}${term.operator}${escaped(swapped)}`;
    })
    .join(',');
}

interface Term {
  readonly field: string;
  readonly operator: string;
  /** Undefined where the server refuses it. */
  readonly value: string | undefined;
}

const OPERATOR = /!=|==|=/;

/** As kube-apiserver cuts it: fields know no escapes. */
function readTerm(text: string): Term | undefined {
  const found = OPERATOR.exec(text);
  if (found === null) return undefined;
  const [operator] = found;
  const value = unescaped(text.slice(found.index + operator.length));
  return { field: text.slice(0, found.index), operator, value };
}

const VALUE = /^(?:[^\\,=]|\\[\\,=])*$/;

const unescaped = (value: string): string | undefined =>
  VALUE.test(value) ? value.replaceAll(/\\(.)/gs, '$1') : undefined;

const escaped = (value: string): string => value.replaceAll(/[\\,=]/g, String.raw`\$&`);

/** A backslash takes the meaning from the character after it. */
function splitTerms(selector: string): string[] {
  const terms: string[] = [];
  let from = 0;
  for (let at = 0; at < selector.length; at += 1) {
    if (selector[at] === '\\') at += 1;
    else if (selector[at] === ',') {
      terms.push(selector.slice(from, at));
      from = at + 1;
    }
  }
  return [...terms, selector.slice(from)];
}

/** The names that a selector pins its objects to, as clients wrote them; none where it cannot be read. */
export function pinnedNames({ parameters }: Query): string[] {
  const selector = parameters.find(([name]) => name === 'fieldSelector')?.[1] ?? '';
  const terms = splitTerms(selector).filter((text) => text !== '');
  const names: string[] = [];
  for (const text of terms) {
    const term = readTerm(text);
    if (term?.value === undefined) return [];
    if (term.field === 'metadata.name' && term.operator !== '!=' && term.value !== '') names.push(term.value);
  }
  return names;
}
