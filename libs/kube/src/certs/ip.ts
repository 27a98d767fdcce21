import { isIP } from 'node:net';
import { RuntimeError } from '../runtime/errors.js';

/** Network-order bytes of an IPv4 or IPv6 address, as a certificate's iPAddress name wants them. */
export function ipBytes(address: string): Uint8Array {
  const family = isIP(address);
  if (family === 4) return Uint8Array.from(address.split('.').map(Number));
  if (family === 6) return ipv6Bytes(address);
  throw new RuntimeError('bad-certificate', `certificate: ${JSON.stringify(address)} is not an IP address`);
}

function ipv6Bytes(address: string): Uint8Array {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const out = new Uint8Array(16);
  const words =
    tail === undefined ? left : [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
  words.forEach((word, index) => {
    out[index * 2] = word >> 8;
    out[index * 2 + 1] = word & 0xff;
  });
  return out;
}

function groups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
