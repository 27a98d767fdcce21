import { SelectorError, apiErrors, parseFieldSelector, parseLabelSelector } from '@capstan/meta';

/** Parses a selector of a request; throws BadRequest. */
export function readSelector<T>(text: string, reader: (text: string) => T): T {
  try {
    return reader(text);
  } catch (error) {
    if (error instanceof SelectorError) throw apiErrors.badRequest(error.message, { cause: error });
    throw error;
  }
}

/** Throws BadRequest for selectors that make no sense whatever they are for. */
export function requireReadableSelectors(labelSelector: string, fieldSelector: string): void {
  if (labelSelector !== '') readSelector(labelSelector, parseLabelSelector);
  if (fieldSelector !== '') readSelector(fieldSelector, parseFieldSelector);
}
