import { describe, expect, it } from 'vitest';
import { hashText } from '@capstan/meta';
import { boundedName, controlPlaneNamespace, hashBytes } from './names.js';

describe('hashes are those of the field', () => {
  it.each([
    ['hello', '4f9f2cab'],
    ['', '811c9dc5'],
    ['{}', '5465b825'],
  ])('%j → %s', (text, hash) => {
    expect(hashText(text)).toBe(hash);
  });

  it('bytes are hashed by their listing', () => {
    expect(hashBytes(new TextEncoder().encode('{}'))).toBe('829b997b');
  });
});

describe('names are made to fit', () => {
  it.each([
    ['short', 'pool', 43, 'short-pool'],
    ['b'.repeat(40), 'pool', 43, `${'b'.repeat(29)}-${hashText('b'.repeat(40))}-pool`],
    ['base', 's'.repeat(60), 43, `base-${hashText(`base-${'s'.repeat(60)}`)}`],
  ])('%s and %s in %i', (base, suffix, most, name) => {
    const made = boundedName(base, suffix, most);
    expect(made).toBe(name);
    expect(made.length).toBeLessThanOrEqual(most);
  });

  it('dots of a cluster become dashes in its namespace', () => {
    expect(controlPlaneNamespace('clusters', 'a.b')).toBe('clusters-a-b');
  });
});
