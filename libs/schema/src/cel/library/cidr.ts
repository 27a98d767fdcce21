/** Networks in CIDR notation. */
import { goQuote } from '@capstan/meta';
import { global, method } from './declarations.js';
import type { FunctionDeclaration, Implementation } from './declarations.js';
import { AddressError, formatAddress, parsePrefix } from '../values/net-address.js';
import type { Address } from '../values/net-address.js';
import { noOverload } from '../values/order.js';
import { boolType, intType, stringType } from '../types/types.js';
import { CelError, CelOpaque, isError } from '../values/values.js';
import type { CelValue } from '../values/values.js';
import { CelIp, isMapped, toIp } from './ip.js';
import { cidrType, ipType } from './kinds.js';

/** A network as a value. */
export class CelCidr extends CelOpaque {
  readonly typeName = 'net.CIDR';
  readonly bytes: Address;
  readonly bits: number;
  constructor(bytes: Address, bits: number) {
    super();
    this.bytes = bytes;
    this.bits = bits;
  }
  equals(other: CelOpaque): boolean {
    return other instanceof CelCidr && cidrText(other) === cidrText(this);
  }
  override get costSize(): number {
    return Math.ceil(this.bits / 8);
  }
}

function cidrText(cidr: CelCidr): string {
  return `${formatAddress(cidr.bytes)}/${cidr.bits}`;
}

function toCidr(value: CelValue): CelValue {
  if (typeof value !== 'string') return noOverload;
  const prefix = 'network address parse error during conversion from string: ';
  try {
    const { bytes, bits } = parsePrefix(value);
    if (!isMapped(bytes)) return new CelCidr(bytes, bits);
    return new CelError(`${prefix}IPv4-mapped IPv6 address ${goQuote(value)} is not allowed`);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    // The real server repeats the words too.
    return new CelError(`${prefix}${prefix}${error.message}`);
  }
}

function masked(bytes: Address, bits: number): Address {
  return bytes.map((byte, i) => byte & (0xff << Math.min(8, Math.max(0, 8 - (bits - i * 8)))) & 0xff);
}

function sharesPrefix(a: Address, b: Address, bits: number): boolean {
  return a.length === b.length && formatAddress(masked(a, bits)) === formatAddress(masked(b, bits));
}

function containsIp(cidr: CelValue, ip: CelValue): CelValue {
  if (!(cidr instanceof CelCidr) || !(ip instanceof CelIp)) return noOverload;
  return sharesPrefix(cidr.bytes, ip.bytes, cidr.bits);
}

function containsCidr(cidr: CelValue, other: CelValue): CelValue {
  if (isError(other)) return other;
  if (!(cidr instanceof CelCidr) || !(other instanceof CelCidr)) return noOverload;
  return cidr.bits <= other.bits && sharesPrefix(cidr.bytes, other.bytes, cidr.bits);
}

function onCidr(run: (cidr: CelCidr) => CelValue): Implementation {
  return (cidr) => (cidr instanceof CelCidr ? run(cidr) : noOverload);
}

/** Functions on networks. */
export const cidrFunctions: readonly FunctionDeclaration[] = [
  { name: 'cidr', overloads: [global('string_to_cidr', [stringType], cidrType, toCidr)] },
  {
    name: 'containsIP',
    overloads: [
      method('cidr_contains_ip_string', [cidrType, stringType], boolType, (cidr, text) => containsIp(cidr, toIp(text))),
      method('cidr_contains_ip_ip', [cidrType, ipType], boolType, containsIp),
    ],
  },
  {
    name: 'containsCIDR',
    overloads: [
      method('cidr_contains_cidr_string', [cidrType, stringType], boolType, (cidr, text) =>
        containsCidr(cidr, toCidr(text)),
      ),
      method('cidr_contains_cidr', [cidrType, cidrType], boolType, containsCidr),
    ],
  },
  {
    name: 'ip',
    overloads: [
      method(
        'cidr_ip',
        [cidrType],
        ipType,
        onCidr((cidr) => new CelIp(cidr.bytes)),
      ),
    ],
  },
  {
    name: 'prefixLength',
    overloads: [
      method(
        'cidr_prefix_length',
        [cidrType],
        intType,
        onCidr((cidr) => cidr.bits),
      ),
    ],
  },
  {
    name: 'masked',
    overloads: [
      method(
        'cidr_masked',
        [cidrType],
        cidrType,
        onCidr((cidr) => new CelCidr(masked(cidr.bytes, cidr.bits), cidr.bits)),
      ),
    ],
  },
  {
    name: 'isCIDR',
    overloads: [global('is_cidr', [stringType], boolType, (text) => toCidr(text) instanceof CelCidr)],
  },
  {
    name: 'string',
    overloads: [global('cidr_to_string', [cidrType], stringType, onCidr(cidrText))],
  },
];
