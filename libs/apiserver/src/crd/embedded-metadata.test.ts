import { StructuralSchema } from '@capstan/schema';
import { describe, expect, it } from 'vitest';
import { TypedDecodeError } from '../codec/index.js';
import { readEmbeddedMetadata } from './embedded-metadata.js';

const EMBEDDED = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
};
const { root } = new StructuralSchema({
  type: 'object',
  properties: {
    one: EMBEDDED,
    list: { type: 'array', items: EMBEDDED },
    map: { type: 'object', additionalProperties: EMBEDDED },
  },
});

function read(value: object): { value: object; unknown: readonly string[] } {
  const unknown: string[] = [];
  readEmbeddedMetadata(value, root, '', unknown);
  return { value, unknown };
}

describe('metadata of embedded resources', () => {
  it('is read as metadata wherever it is', () => {
    const resource = (): object => ({
      apiVersion: 'v1',
      kind: 'X',
      metadata: { name: 'a', creationTimestamp: null, zork: 1 },
      spec: { metadata: { zork: 1 } },
    });
    const clean = { apiVersion: 'v1', kind: 'X', metadata: { name: 'a' }, spec: { metadata: { zork: 1 } } };
    expect(read({ one: resource(), list: [resource()], map: { k: resource() }, metadata: { zork: 1 } })).toEqual({
      value: { one: clean, list: [clean], map: { k: clean }, metadata: { zork: 1 } },
      unknown: ['one.metadata.zork', 'list[0].metadata.zork', 'map.k.metadata.zork'],
    });
  });

  it.each([
    [
      { one: { metadata: { labels: 5 } } },
      'one.metadata: Invalid value: {"labels":5}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string',
    ],
    [{ one: { kind: 5 } }, 'one.kind: Invalid value: 5: must be a string'],
  ])('%j is refused', (value, message) => {
    expect(() => read(value)).toThrow(new TypedDecodeError(message));
  });
});
