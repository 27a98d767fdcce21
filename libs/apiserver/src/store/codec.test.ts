import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@capstan/meta';
import { decodeMetadata, decodeObject, encodeObject } from './codec.js';

function metadataOf(text: string): unknown {
  return decodeMetadata(Buffer.from(text));
}

describe('decodeMetadata', () => {
  it.each([
    ['first', '{"metadata":{"name":"a"},"data":{"metadata":{"name":"b"}}}'],
    ['behind words and numbers', '{"a":true,"b":-1.5e3,"c":null,"metadata":{"name":"a"}}'],
    ['behind strings with quotes and braces', '{"a":"}\\"{,\\\\","b":["]",{"x":"["}],"metadata":{"name":"a"}}'],
    ['behind a key that looks like it', '{"metadat\\u0061":{"name":"b"},"Metadata":{},"metadata":{"name":"a"}}'],
    ['behind empty lists and maps', '{"a":[],"b":{},"c":[[],{}],"metadata":{"name":"a"},"z":1}'],
  ])('finds it %s', (_where, text) => {
    expect(metadataOf(text)).toEqual({ name: 'a' });
  });

  it('keeps integers of 64 bits', () => {
    expect(metadataOf('{"kind":"X","metadata":{"generation":9007199254740993}}')).toEqual({
      generation: 9_007_199_254_740_993n,
    });
  });

  it('gives what reading the whole object gives', () => {
    const member = fc.tuple(fc.string({ unit: 'binary' }), fc.jsonValue({ noUnicodeString: false, maxDepth: 2 }));
    const metadata = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
    fc.assert(
      fc.property(
        fc.array(member, { maxLength: 4 }),
        metadata,
        fc.array(member, { maxLength: 2 }),
        (before, meta, after) => {
          const object = Object.fromEntries([...before, ['metadata', meta], ...after]) as KubeObject;
          object.metadata = meta;
          const bytes = encodeObject(object);
          expect(decodeMetadata(bytes)).toEqual(decodeObject(bytes).metadata);
        },
      ),
    );
  });
});
