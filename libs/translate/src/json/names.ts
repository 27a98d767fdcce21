import type { Member, Place, RewriterObserver, TextChange } from './shape.js';
import { TEXT_LIMIT } from './shape.js';

/** Texts per place whose change is remembered. */
const REMEMBERED = 128;

/** Small buffers share memory that lasts as long as any of them: what is remembered has its own. */
const encoder = new TextEncoder();

/** A string as JSON writes it. */
export const quoted = (text: string): Uint8Array => encoder.encode(JSON.stringify(text));

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

/** Longest text, with its quotes, that is known again by its bytes. */
const KNOWN_BYTES = 128;

/** Remembers what a text of so many bytes, with its quotes, became: documents say the same again and again. */
export function remember({ last }: Place, size: number, text: string, changed: Uint8Array | undefined): void {
  // A string written with escapes, or in characters of several bytes, is longer than its text.
  if (last !== undefined && size <= KNOWN_BYTES && text.length === size - 2)
    last[size] = { name: encoder.encode(text), changed };
}

/** What a text of so many bytes, with its quotes, becomes at its place; undefined when it stays. */
export function textAt(
  place: Place,
  { size, text }: { readonly size: number; readonly text: string },
  observer: RewriterObserver | undefined,
): Uint8Array | undefined {
  const change = place.text;
  if (change === undefined) return undefined;
  try {
    const changed = changedText(place, text, change);
    remember(place, size, text, changed);
    return changed;
  } catch (error) {
    // Not remembered: in the next document it may not be allowed.
    return quoted(pardoned(error, () => change(text), observer));
  }
}

/** What a change gives, or what an observer allows where it is refused. */
export function attempted(change: () => string, observer: RewriterObserver | undefined): string {
  try {
    return change();
  } catch (error) {
    return pardoned(error, change, observer);
  }
}

function pardoned(error: unknown, change: () => string, observer: RewriterObserver | undefined): string {
  if (observer === undefined) throw error;
  return observer.refused(error, change);
}

/** Whether a name stands there. */
export function isNameAt(bytes: Uint8Array, at: number, { name }: Pick<Member, 'name'>): boolean {
  for (let index = 0; index < name.length; index += 1) if (bytes[at + index] !== name[index]) return false;
  return true;
}
