import { describe, expect, it } from 'vitest';
import { hashText } from '@capstan/meta';
import { boundedName, controlPlaneNamespace, hashBytes } from './names.js';

describe('a hash is the one that HyperShift computes', () => {
  it.each([
    ['hello', '4f9f2cab'],
    ['', '811c9dc5'],
    ['{}', '5465b825'],
  ])('of %j: %s', (text, hash) => {
    expect(hashText(text)).toBe(hash);
  });

  it('of bytes, over their decimal listing', () => {
    expect(hashBytes(new TextEncoder().encode('{}'))).toBe('829b997b');
  });
});

describe('a name has at most so many characters', () => {
  it.each([
    ['short', 'pool', 43, 'short-pool'],
    ['b'.repeat(40), 'pool', 43, `${'b'.repeat(29)}-${hashText('b'.repeat(40))}-pool`],
    ['base', 's'.repeat(60), 43, `base-${hashText(`base-${'s'.repeat(60)}`)}`],
  ])('%s with suffix %s in %i characters', (base, suffix, most, name) => {
    const bounded = boundedName(base, suffix, most);
    expect(bounded).toBe(name);
    expect(bounded.length).toBeLessThanOrEqual(most);
  });

  it('of a control plane namespace has dashes for the dots of its cluster', () => {
    expect(controlPlaneNamespace('clusters', 'a.b')).toBe('clusters-a-b');
  });
});
