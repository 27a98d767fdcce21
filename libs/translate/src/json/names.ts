import type { Member, Place, TextChange } from './shape.js';
import { TEXT_LIMIT } from './shape.js';

/** Texts per place whose change is remembered. */
const REMEMBERED = 128;

/** A string as JSON writes it. */
export const quoted = (text: string): Uint8Array => Buffer.from(JSON.stringify(text));

/** What a text becomes at its place, between quotes; undefined when it stays. */
export function changedText(place: Place, text: string, by: TextChange): Uint8Array | undefined {
  const known = place.changed.get(text);
  if (known !== undefined || place.changed.has(text)) return known;
  const changed = by(text);
  const bytes = changed === text ? undefined : quoted(changed);
  // Texts come from clients: what is remembered must stay bounded.
  if (place.changed.size < REMEMBERED && text.length <= TEXT_LIMIT) place.changed.set(text, bytes);
  return bytes;
}

/** Whether the name of a member stands there. */
export function isNameAt(bytes: Uint8Array, at: number, { name }: Member): boolean {
  for (let index = 0; index < name.length; index += 1) if (bytes[at + index] !== name[index]) return false;
  return true;
}
