/** Who a write is credited to. */
import { fieldManagerMaxBytes, Recent, utf8Length } from '@capstan/meta';

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** The manager named in the request, or else the client's name: its user agent up to the first slash. */
export function managerOrUserAgent(fieldManager: string | undefined, userAgent: string | undefined): string {
  if (fieldManager) return fieldManager;
  if (userAgent === undefined) return '';
  let name = named.get(userAgent);
  if (name === undefined) named.set(userAgent, (name = nameOf(userAgent)));
  return name;
}

const RECENT_AGENTS = 64;
/** Few programs write, and all the time. */
const named = new Recent<string, string>(RECENT_AGENTS);

function nameOf(userAgent: string): string {
  let name = '';
  let size = 0;
  for (const character of userAgent.split('/', 1)[0] ?? '') {
    if (!PRINTABLE.test(character)) continue;
    size += utf8Length(character);
    if (size > fieldManagerMaxBytes) break;
    name += character;
  }
  return name;
}
