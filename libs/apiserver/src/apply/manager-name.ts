/** Who a write is credited to. */
import { fieldManagerMaxBytes, utf8Length } from '@capstan/meta';

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** The manager named in the request, or else the client's name: its user agent up to the first slash. */
export function managerOrUserAgent(fieldManager: string | undefined, userAgent: string | undefined): string {
  if (fieldManager) return fieldManager;
  let name = '';
  let size = 0;
  for (const character of (userAgent ?? '').split('/', 1)[0] ?? '') {
    if (!PRINTABLE.test(character)) continue;
    size += utf8Length(character);
    if (size > fieldManagerMaxBytes) break;
    name += character;
  }
  return name;
}
