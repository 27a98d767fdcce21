/** IP addresses and CIDR blocks, parsed as leniently as Go once did and validated as strictly as the server does now. */
import { invalid, pushAll } from '@capstan/meta';
import type { Errors } from './checks.js';

/** 4 or 16 bytes. IPv4-mapped IPv6 keeps its 16. */
type IpBytes = readonly number[];

function parseIPv4(value: string): IpBytes | undefined {
  const parts = value.split('.');
  if (parts.length !== 4) return undefined;
  const bytes: number[] = [];
  for (const part of parts) {
    if (!/^[0-9]{1,}$/.test(part) || Number(part) > 255) return undefined;
    bytes.push(Number(part));
  }
  return bytes;
}

function parseGroups(value: string): number[] | undefined {
  if (value === '') return [];
  const bytes: number[] = [];
  const groups = value.split(':');
  for (const [i, group] of groups.entries()) {
    if (i === groups.length - 1 && group.includes('.')) {
      const tail = parseIPv4(group);
      if (tail === undefined) return undefined;
      pushAll(bytes, tail);
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return undefined;
      const number = Number.parseInt(group, 16);
      bytes.push(number >> 8, number & 255);
    }
  }
  return bytes;
}

/** The bytes of an address; leading zeros in IPv4 are tolerated and read as decimal. */
export function parseIP(value: string): IpBytes | undefined {
  if (!value.includes(':')) return parseIPv4(value);
  const halves = value.split('::');
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0] ?? '');
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? '') : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 2 ? missing < 2 : missing !== 0) return undefined;
  return [...head, ...Array<number>(missing).fill(0), ...tail];
}

/** Whether the bytes are an IPv4-mapped IPv6 address. */
function isMapped(bytes: IpBytes): boolean {
  return (
    bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
  );
}

/** Whether the text is an IPv6 address (IPv4-mapped ones are IPv4, as in Go). */
export function isIPv6(value: string): boolean {
  const bytes = parseIP(value);
  return bytes !== undefined && bytes.length === 16 && !isMapped(bytes);
}

/** The address family of a valid address. */
export function familyOf(value: string): 'IPv4' | 'IPv6' {
  return isIPv6(value) ? 'IPv6' : 'IPv4';
}

function hasLeadingZeros(value: string): boolean {
  return (
    value.includes('.') &&
    value
      .slice(value.lastIndexOf(':') + 1)
      .split('.')
      .some((part) => part.length > 1 && part.startsWith('0'))
  );
}

/** A valid address; addresses the object already had (`known`) pass unseen. */
export function checkIP(out: Errors, field: string, value: string, known: readonly string[] = []): boolean {
  if (known.includes(value)) return true;
  const before = out.length;
  const bytes = parseIP(value);
  if (bytes === undefined)
    out.push(invalid(field, value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'));
  else if (hasLeadingZeros(value)) out.push(invalid(field, value, 'must not have leading 0s'));
  else if (isMapped(bytes)) out.push(invalid(field, value, 'must not be an IPv4-mapped IPv6 address'));
  return out.length === before;
}

/** An address that something can be reached at: no loopback, link-local or unspecified one. */
export function checkEndpointIP(out: Errors, field: string, value: string): void {
  const parsed = parseIP(value);
  if (parsed === undefined) {
    out.push(invalid(field, value, 'must be a valid IP address'));
    return;
  }
  const bytes = isMapped(parsed) ? parsed.slice(12) : parsed;
  const [first = 0, second = 0, third = 0] = bytes;
  const four = bytes.length === 4;
  const leadingZeros = bytes.slice(0, -1).every((byte) => byte === 0);
  if (leadingZeros && bytes.at(-1) === 0) out.push(invalid(field, value, `may not be unspecified (${value})`));
  if (four ? first === 127 : leadingZeros && bytes.at(-1) === 1) {
    out.push(invalid(field, value, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'));
  }
  if (four ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80) {
    out.push(invalid(field, value, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'));
  }
  if (four ? first === 224 && second === 0 && third === 0 : first === 0xff && (second & 0x0f) === 0x02) {
    out.push(invalid(field, value, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'));
  }
}

/** A parsed CIDR block. */
interface Cidr {
  readonly bytes: IpBytes;
  readonly prefix: number;
}

/** The block of a CIDR text, or undefined. */
export function parseCidr(value: string): Cidr | undefined {
  const [address = '', length = '', ...rest] = value.split('/');
  const bytes = parseIP(address);
  if (bytes === undefined || rest.length > 0 || !/^[0-9]+$/.test(length) || Number(length) > bytes.length * 8)
    return undefined;
  return { bytes, prefix: Number(length) };
}

function bitsBeyond({ bytes, prefix }: Cidr): boolean {
  return bytes.some((byte, i) => {
    const kept = Math.min(8, Math.max(0, prefix - i * 8));
    return (byte & (0xff >> kept)) !== 0;
  });
}

/** A valid CIDR block; blocks the object already had (`known`) pass unseen. */
export function checkCidr(out: Errors, field: string, value: string, known: readonly string[] = []): void {
  if (known.includes(value)) return;
  const cidr = parseCidr(value);
  const [address = '', length = ''] = value.split('/');
  if (cidr === undefined)
    out.push(invalid(field, value, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'));
  else if (hasLeadingZeros(address) || (length.length > 1 && length.startsWith('0'))) {
    out.push(invalid(field, value, 'must not have leading 0s in IP or prefix length'));
  } else if (isMapped(cidr.bytes)) out.push(invalid(field, value, 'must not have an IPv4-mapped IPv6 address'));
  else if (bitsBeyond(cidr)) out.push(invalid(field, value, 'must not have bits set beyond the prefix length'));
}

/** Whether `inner` lies strictly inside `outer`. */
export function isStrictSubset(inner: Cidr, outer: Cidr): boolean {
  if (inner.bytes.length !== outer.bytes.length || outer.prefix >= inner.prefix) return false;
  return outer.bytes.every((byte, i) => {
    const kept = Math.min(8, Math.max(0, outer.prefix - i * 8));
    const mask = 0xff & ~(0xff >> kept);
    return (byte & mask) === ((inner.bytes[i] ?? 0) & mask);
  });
}
