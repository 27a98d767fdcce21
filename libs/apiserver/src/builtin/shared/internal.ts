/** Values in messages that the server prints from its own structs: their field names, in their order, nothing left out. */
import { RawValue } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { htmlEscaped } from '../../codec/index.js';

/** Prints the fields in the order given, not in the order of their names as maps are printed. */
export function structText(fields: Readonly<JsonObject>): RawValue {
  return new RawValue(htmlEscaped(JSON.stringify(fields)));
}
