import { RawValue } from '@capstan/meta';

/** JSON with the characters escaped that Go's encoder escapes by default. */
export function htmlEscaped(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Go prints a value of a named string type as JSON in field errors, a plain string quoted. */
export function typedText(value: string): string | RawValue {
  return /^[ -~]*$/.test(value) && !/[<>&\\"]/.test(value) ? value : new RawValue(htmlEscaped(JSON.stringify(value)));
}
