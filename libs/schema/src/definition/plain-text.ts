import { RawValue, goQuote } from '@capstan/meta';

/** A text of a type of its own that the server happens to print like any other. */
export function plainText(value: string): RawValue {
  return new RawValue(goQuote(value));
}
