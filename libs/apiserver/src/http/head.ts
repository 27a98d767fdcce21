import type { ApiResponse } from '@capstan/meta';

type ResponseHeaders = ApiResponse['headers'];

const canonical = new Map<string, string>();

/** `audit-id` as it is written on the wire: `Audit-Id`. Names come from the handler, so there are few. */
function wireName(name: string): string {
  let known = canonical.get(name);
  if (known === undefined) {
    known = name.replace(/(^|-)[a-z]/g, (first) => first.toUpperCase());
    canonical.set(name, known);
  }
  return known;
}

const UNUSUAL = /[^\x20-\x7e]/;

/** A header value Node will take: line breaks become spaces, other text goes out as its UTF-8 bytes. */
function wireValue(value: string): string {
  if (!UNUSUAL.test(value)) return value;
  const clean = value.replace(/[\r\n]/g, ' ').replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '');
  return Buffer.from(clean, 'utf8').toString('latin1');
}

/** Headers in the flat form Node writes fastest, with room for more at the end. */
export function wireHeaders(headers: ResponseHeaders): string[] {
  const out: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string') out.push(wireName(name), wireValue(value));
    else if (value !== undefined) for (const each of value) out.push(wireName(name), wireValue(each));
  }
  return out;
}

/** Whether an Accept-Encoding names gzip outright, which is all the real server looks for. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined || !acceptEncoding.includes('gzip')) return false;
  return acceptEncoding === 'gzip' || acceptEncoding.split(',').some((each) => each.trim() === 'gzip');
}

/** The phrase behind the code, where Node's differs from what API servers send. */
export function reasonPhrase(status: number): string | undefined {
  return status === 413 ? 'Request Entity Too Large' : undefined;
}
