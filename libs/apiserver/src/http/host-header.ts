import type { IncomingMessage } from 'node:http';

/** The characters that the real server takes in a Host header, whatever they mean. */
const VALID_HOST = /^[!$%&'()*+,\-.0-9:;=A-Z[\]_a-z~]*$/;

/** How the server of the real one refuses a request by its Host headers; undefined when it does not. */
export function refusedHost({ headers: { host }, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  if (host === undefined) {
    return httpVersion === '1.1' ? '400 Bad Request: missing required Host header' : undefined;
  }
  // Node keeps the first and drops the others: who sees another may be somewhere else than we think.
  if (hostHeaders(rawHeaders) > 1) return '400 Bad Request';
  return VALID_HOST.test(host) ? undefined : '400 Bad Request: malformed Host header';
}

/** Names and values take turns. */
function hostHeaders(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
