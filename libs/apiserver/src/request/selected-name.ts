import { SelectorError, nameIsPathSegment, parseFieldSelector, parseLabelSelector } from '@capstan/meta';

const INTEGER = /^[+-]?\d+$/;
/** Of queries that are asked again and again. */
const known = new WeakMap<URLSearchParams, string>();

/**
 * The name that the field selector of a list or watch insists on: by it the request is authorized, as a get would be.
 * Empty where there is none, where it could not be part of a path, and where the request cannot be read anyhow.
 */
export function nameInSelector(query: URLSearchParams): string {
  let name = known.get(query);
  if (name === undefined) known.set(query, (name = readName(query)));
  return name;
}

function readName(query: URLSearchParams): string {
  const selector = query.get('fieldSelector') ?? '';
  if (!selector.includes('metadata.name')) return '';
  if (!isNumber(query.get('limit')) || !isNumber(query.get('timeoutSeconds'))) return '';
  try {
    parseLabelSelector(query.get('labelSelector') ?? '');
    const name = parseFieldSelector(selector).requiresExactMatch('metadata.name') ?? '';
    return nameIsPathSegment(name, false).length === 0 ? name : '';
  } catch (error) {
    if (error instanceof SelectorError) return '';
    throw error;
  }
}

function isNumber(text: string | null): boolean {
  return text === null || INTEGER.test(text);
}
