import { ClusterError } from '../errors.js';

function toNumber(ip: string): number {
  return ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function toText(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}

/** Addresses of one node's pods. One given back is used again only after all the others. */
export class AddressPool {
  readonly #first: number;
  readonly #size: number;
  readonly #used = new Set<number>();
  #next = 0;

  /** Of an IPv4 range such as `10.128.0.0/20`. */
  constructor(range: string) {
    const [base = '', bits = '24'] = range.split('/');
    // Neither the address of the network nor the gateway nor the broadcast address.
    this.#first = toNumber(base) + 2;
    this.#size = 2 ** (32 - Number(bits)) - 3;
  }

  take(): string {
    if (this.#used.size >= this.#size)
      throw new ClusterError('OUT_OF_ADDRESSES', 'no pod address is left on this node');
    while (this.#used.has(this.#next)) this.#next = (this.#next + 1) % this.#size;
    const at = this.#next;
    this.#used.add(at);
    this.#next = (at + 1) % this.#size;
    return toText(this.#first + at);
  }

  giveBack(ip: string): void {
    this.#used.delete(toNumber(ip) - this.#first);
  }
}

const POD_RANGE_FIRST = toNumber('10.128.0.0');
const NODE_RANGE_BITS = 20;

/** The range of pod addresses of the node with a number, and the node's own address. */
export function nodeAddresses(index: number): { podCidr: string; nodeIp: string } {
  const base = POD_RANGE_FIRST + index * 2 ** (32 - NODE_RANGE_BITS);
  return { podCidr: `${toText(base)}/${NODE_RANGE_BITS}`, nodeIp: toText(toNumber('172.30.0.2') + index) };
}
