import { describe, expect, it } from 'vitest';
import { Store } from '../store/index.js';
import { StoreAllocator } from './service-allocator.js';

const CLOCK = { now: () => 0, monotonic: () => 0, after: () => ({ cancel: () => undefined }) };

/** A store in which so many addresses are taken, from the first on. */
function storeWith(taken: number): Store {
  const store = new Store({ clock: CLOCK });
  for (let host = 1; host <= taken; host++) {
    const clusterIP = `10.0.${host >> 8}.${host & 0xff}`;
    const metadata = { name: `s${host}`, namespace: 'n' };
    store.create('/services', 'n', metadata.name, { apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP } });
  }
  return store;
}

describe('addresses of services', () => {
  it.each([
    [0, undefined, '10.0.0.1'],
    [253, undefined, '10.0.0.254'],
    [254, undefined, undefined],
    [254, 16, '10.0.0.255'],
    [600, 16, '10.0.2.89'],
  ])('with %d taken of a network of prefix length %s go on with %s', (taken, prefixLength, next) => {
    expect(new StoreAllocator(storeWith(taken), prefixLength).clusterIP('IPv4')).toBe(next);
  });

  it.each([
    ['10.0.0.9', undefined, true],
    ['10.0.1.9', undefined, false],
    ['10.0.1.9', 16, true],
    ['10.1.0.9', 16, false],
    ['9.0.0.9', 8, false],
    ['fd00:10::9', undefined, true],
    ['fd00:11::9', undefined, false],
  ])('%s is one of a network of prefix length %s: %s', (address, prefixLength, isInside) => {
    const allocator = new StoreAllocator(storeWith(0), prefixLength);
    expect(allocator.outside(address) === undefined).toBe(isInside);
    expect(allocator.clusterIP('IPv4', address)).toBe(isInside ? address : undefined);
  });
});
