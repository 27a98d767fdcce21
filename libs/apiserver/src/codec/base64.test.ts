import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { canonicalBase64 } from './base64.js';

describe('base64 as Go reads it', () => {
  test.each([
    ['', ''],
    ['YQ==', 'YQ=='],
    ['YWI=', 'YWI='],
    ['YWJj', 'YWJj'],
    ['YR==', 'YQ=='],
    ['YWJ=', 'YWI='],
    ['YQ==\n', 'YQ=='],
    ['YQ=\r\n=', 'YQ=='],
    ['\nYW\nJj\n', 'YWJj'],
  ])('%j is kept as %j', (text, canonical) => {
    expect(canonicalBase64(text)).toBe(canonical);
  });

  // Offsets as Go's encoding/base64 gives them.
  test.each([
    ['!!!', 0],
    ['YQ', 0],
    ['YWJjYQ', 4],
    ['YWJj=', 4],
    ['YQ==YQ==', 4],
    ['YQ=', 3],
    ['YQ=a', 2],
    ['Y===', 1],
    ['=', 0],
    ['YWJj\u00e9', 4],
    ['YWJ\nj-', 5],
  ])('%j is corrupt at byte %d', (text, corruptAt) => {
    expect(canonicalBase64(text)).toEqual({ corruptAt });
  });

  test('what Node encodes is canonical, and is the same text after line breaks are put in', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(), (bytes, at) => {
        const text = Buffer.from(bytes).toString('base64');
        const cut = text.length === 0 ? 0 : at % text.length;
        expect(canonicalBase64(text)).toBe(text);
        expect(canonicalBase64(`${text.slice(0, cut)}\r\n${text.slice(cut)}`)).toBe(text);
      }),
    );
  });
});
