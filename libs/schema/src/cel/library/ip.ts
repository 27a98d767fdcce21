/** IP addresses. */
import { global, method } from './declarations.js';
import type { FunctionDeclaration, Implementation } from './declarations.js';
import { AddressError, formatAddress, parseAddress } from '../values/net-address.js';
import type { Address } from '../values/net-address.js';
import { noOverload } from '../values/order.js';
import { boolType, intType, stringType } from '../types/types.js';
import { CelError, CelOpaque } from '../values/values.js';
import { goQuote } from '@capstan/meta';
import type { CelValue } from '../values/values.js';
import { ipType } from './kinds.js';

/** An address as a value. */
export class CelIp extends CelOpaque {
  readonly typeName = 'net.IP';
  readonly bytes: Address;
  constructor(bytes: Address) {
    super();
    this.bytes = bytes;
  }
  equals(other: CelOpaque): boolean {
    return other instanceof CelIp && formatAddress(other.bytes) === formatAddress(this.bytes);
  }
  override get costSize(): number {
    return this.bytes.length;
  }
}

/** Whether it is an IPv4 address in IPv6 clothes. */
export function isMapped(bytes: Address): boolean {
  return (
    bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
  );
}

/** The address of a text, or the error the server gives. */
export function toIp(value: CelValue): CelValue {
  if (typeof value !== 'string') return noOverload;
  const shown = goQuote(value);
  try {
    const { bytes, zone } = parseAddress(value);
    if (zone !== '') return new CelError(`IP address ${shown} with zone value is not allowed`);
    return isMapped(bytes) ? new CelError(`IPv4-mapped IPv6 address ${shown} is not allowed`) : new CelIp(bytes);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    return new CelError(`IP Address ${shown} parse error during conversion from string: ${error.message}`);
  }
}

function test(name: string, id: string, holds: (bytes: Address) => boolean): FunctionDeclaration {
  const run: Implementation = (ip) => (ip instanceof CelIp ? holds(ip.bytes) : noOverload);
  return { name, overloads: [method(id, [ipType], boolType, run)] };
}

function isLoopback(bytes: Address): boolean {
  if (bytes.length === 4) return bytes[0] === 127;
  return bytes[15] === 1 && bytes.slice(0, 15).every((byte) => byte === 0);
}

function isLinkLocalMulticast(bytes: Address): boolean {
  if (bytes.length === 4) return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0;
  return bytes[0] === 0xff && ((bytes[1] ?? 0) & 0x0f) === 2;
}

function isLinkLocalUnicast(bytes: Address): boolean {
  if (bytes.length === 4) return bytes[0] === 169 && bytes[1] === 254;
  return bytes[0] === 0xfe && ((bytes[1] ?? 0) & 0xc0) === 0x80;
}

function isUnspecified(bytes: Address): boolean {
  return bytes.every((byte) => byte === 0);
}

function isGlobalUnicast(bytes: Address): boolean {
  const multicast = bytes.length === 4 ? ((bytes[0] ?? 0) & 0xf0) === 0xe0 : bytes[0] === 0xff;
  if (bytes.length === 4 && bytes.every((byte) => byte === 255)) return false;
  return !isUnspecified(bytes) && !isLoopback(bytes) && !multicast && !isLinkLocalUnicast(bytes);
}

/** Functions on IP addresses. */
export const ipFunctions: readonly FunctionDeclaration[] = [
  { name: 'ip', overloads: [global('string_to_ip', [stringType], ipType, toIp)] },
  {
    name: 'family',
    overloads: [
      method('ip_family', [ipType], intType, (ip) =>
        ip instanceof CelIp ? (ip.bytes.length === 4 ? 4 : 6) : noOverload,
      ),
    ],
  },
  {
    name: 'ip.isCanonical',
    overloads: [
      global('ip_is_canonical', [stringType], boolType, (text) => {
        const ip = toIp(text);
        return ip instanceof CelIp ? formatAddress(ip.bytes) === text : ip;
      }),
    ],
  },
  test('isUnspecified', 'ip_is_unspecified', isUnspecified),
  test('isLoopback', 'ip_is_loopback', isLoopback),
  test('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
  test('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
  test('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
  {
    name: 'isIP',
    overloads: [global('is_ip', [stringType], boolType, (text) => toIp(text) instanceof CelIp)],
  },
  {
    name: 'string',
    overloads: [
      global('ip_to_string', [ipType], stringType, (ip) =>
        ip instanceof CelIp ? formatAddress(ip.bytes) : noOverload,
      ),
    ],
  },
];
