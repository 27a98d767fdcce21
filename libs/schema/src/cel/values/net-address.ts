/** IP addresses and prefixes as Go's netip reads and prints them. */
import { goQuote, pushAll } from '@capstan/meta';

/** Four or sixteen bytes. */
export type Address = readonly number[];

/** Text that is no address, in Go's words. */
export class AddressError extends Error {}

function bad(text: string, message: string, at?: string): AddressError {
  return new AddressError(`ParseAddr(${goQuote(text)}): ${message}${at === undefined ? '' : ` (at ${goQuote(at)})`}`);
}

/** The octet so far with one more digit. */
function withDigit(whole: string, octet: string, digit: string): string {
  if (octet === '0') throw bad(whole, 'IPv4 field has octet with leading zero');
  if (Number(octet + digit) > 255) throw bad(whole, 'IPv4 field has value >255');
  return octet + digit;
}

function parseV4(whole: string, text: string): number[] {
  const fields: number[] = [];
  let octet = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char >= '0' && char <= '9') {
      octet = withDigit(whole, octet, char);
      continue;
    }
    if (char !== '.') throw bad(whole, 'unexpected character', text.slice(at));
    if (octet === '' || at === text.length - 1) {
      throw bad(whole, 'IPv4 field must have at least one digit', text.slice(at));
    }
    if (fields.length === 3) throw bad(whole, 'IPv4 address too long');
    fields.push(Number(octet));
    octet = '';
  }
  if (fields.length < 3) throw bad(whole, 'IPv4 address too short');
  return [...fields, Number(octet)];
}

/** One group of hex digits at the front. */
function hexGroup(whole: string, rest: string): number {
  const [digits = ''] = /^[0-9a-fA-F]*/.exec(rest) ?? [];
  if (digits.length > 4) throw bad(whole, 'each group must have 4 or less digits', rest);
  if (digits === '') throw bad(whole, 'each colon-separated field must have at least one digit', rest);
  return digits.length;
}

class V6Reader {
  readonly bytes: number[] = [];
  ellipsis = -1;
  rest: string;
  readonly whole: string;

  constructor(whole: string, text: string) {
    this.whole = whole;
    this.rest = text;
  }

  read(): number[] {
    if (this.rest.startsWith('::')) {
      this.ellipsis = 0;
      this.rest = this.rest.slice(2);
      if (this.rest === '') return Array<number>(16).fill(0);
    }
    let more = true;
    while (more && this.bytes.length < 16) more = this.group();
    if (this.rest !== '') throw bad(this.whole, 'trailing garbage after address', this.rest);
    return this.expanded();
  }

  /** Reads one group and what separates it from the next; false at the end. */
  group(): boolean {
    const { whole, rest } = this;
    const length = hexGroup(whole, rest);
    if (rest[length] === '.') {
      const place = 'embedded IPv4 address must replace the final 2 fields of the address';
      if (this.ellipsis < 0 && this.bytes.length !== 12) throw bad(whole, place, rest);
      const room = 'too many hex fields to fit an embedded IPv4 at the end of the address';
      if (this.bytes.length + 4 > 16) throw bad(whole, room, rest);
      pushAll(this.bytes, parseV4(whole, rest));
      this.rest = '';
      return false;
    }
    const value = Number.parseInt(rest.slice(0, length), 16);
    this.bytes.push(value >> 8, value & 0xff);
    this.rest = rest.slice(length);
    if (this.rest === '') return false;
    return this.separator();
  }

  separator(): boolean {
    const { whole, rest } = this;
    if (rest[0] !== ':') throw bad(whole, 'unexpected character, want colon', rest);
    if (rest.length === 1) throw bad(whole, 'colon must be followed by more characters', rest);
    this.rest = rest.slice(1);
    if (this.rest[0] !== ':') return true;
    if (this.ellipsis >= 0) throw bad(whole, 'multiple :: in address', this.rest);
    this.ellipsis = this.bytes.length;
    this.rest = this.rest.slice(1);
    return this.rest !== '';
  }

  expanded(): number[] {
    const missing = 16 - this.bytes.length;
    if (missing > 0) {
      if (this.ellipsis < 0) throw bad(this.whole, 'address string too short');
      for (let added = 0; added < missing; added += 1) this.bytes.splice(this.ellipsis, 0, 0);
    } else if (this.ellipsis >= 0) throw bad(this.whole, 'the :: must expand to at least one field of zeros');
    return this.bytes;
  }
}

/** The bytes and the zone of an address. Throws {@link AddressError}. */
export function parseAddress(text: string): { bytes: Address; zone: string } {
  const mark = /[.:%]/.exec(text)?.[0];
  if (mark === '.') return { bytes: parseV4(text, text), zone: '' };
  if (mark === '%') throw bad(text, 'missing IPv6 address');
  if (mark === undefined) throw bad(text, 'unable to parse IP');
  const percent = text.indexOf('%');
  const zone = percent === -1 ? '' : text.slice(percent + 1);
  if (percent !== -1 && zone === '') throw bad(text, 'zone must be a non-empty string');
  return { bytes: new V6Reader(text, percent === -1 ? text : text.slice(0, percent)).read(), zone };
}

/** The address and length of `address/bits`. Throws {@link AddressError}. */
export function parsePrefix(text: string): { bytes: Address; bits: number } {
  const fail = (message: string): AddressError => new AddressError(`netip.ParsePrefix(${goQuote(text)}): ${message}`);
  const slash = text.lastIndexOf('/');
  if (slash === -1) throw fail("no '/'");
  let parsed: { bytes: Address; zone: string };
  try {
    parsed = parseAddress(text.slice(0, slash));
  } catch (error) {
    throw error instanceof AddressError ? fail(error.message) : error;
  }
  if (parsed.zone !== '') throw fail('IPv6 zones cannot be present in a prefix');
  const bits = text.slice(slash + 1);
  if (!/^(?:[1-9]\d*|\d)$/.test(bits)) throw fail(`bad bits after slash: ${goQuote(bits)}`);
  if (Number(bits) > parsed.bytes.length * 8) throw fail('prefix length out of range');
  return { bytes: parsed.bytes, bits: Number(bits) };
}

/** The longest run of two or more zero groups, the first of equals. */
function zeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: -1, length: 1 };
  for (let at = 0; at < groups.length; at++) {
    let end = at;
    while (groups[end] === 0) end++;
    if (end - at > best.length) best = { start: at, length: end - at };
    at = Math.max(at, end - 1);
  }
  return best;
}

/** The canonical text of an address. */
export function formatAddress(bytes: Address): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[i * 2] ?? 0) << 8) | (bytes[i * 2 + 1] ?? 0));
  const { start, length } = zeroRun(groups);
  const text = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  return start === -1 ? text(groups) : `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`;
}
