import { Buffer } from 'node:buffer';

/** Text that is not a time or a duration, in the server's words. */
export class TimeParseError extends Error {
  override readonly name = 'TimeParseError';
}

/** Quotes as Go's time package does: other than ASCII goes byte by byte as hex. */
export function timeQuote(text: string): string {
  let out = '"';
  for (const char of text) {
    if (char >= ' ' && char <= '\x7f') out += char === '"' || char === '\\' ? `\\${char}` : char;
    else for (const byte of Buffer.from(char, 'utf8')) out += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `${out}"`;
}
