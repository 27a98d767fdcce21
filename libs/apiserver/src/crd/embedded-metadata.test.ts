import { StructuralSchema } from '@capstan/schema';
import { describe, expect, it } from 'vitest';
import { TypedDecodeError } from '../codec/index.js';
import { embeddedMetadataProblem, readEmbeddedMetadata } from './embedded-metadata.js';

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
  return { value, unknown: readEmbeddedMetadata(value, root, 'refused') };
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

  it('is shown sorted, and with all digits of its integers', () => {
    const shown = '{"labels":{"a":1.5,"b":9223372036854775807},"name":"a"}';
    const reason = 'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string';
    const value = { one: { metadata: { name: 'a', labels: { b: 9223372036854775807n, a: 1.5 } } } };
    expect(() => read(value)).toThrow(new TypedDecodeError(`one.metadata: Invalid value: ${shown}: ${reason}`));
  });

  it('that cannot be read stays for validation to report', () => {
    const value = { one: { metadata: { generation: 1.5, zork: 1 } } };
    expect(readEmbeddedMetadata(value, root, 'kept')).toEqual([]);
    expect(value).toEqual({ one: { metadata: { generation: 1.5, zork: 1 } } });
    expect(embeddedMetadataProblem(value.one.metadata)).toBe(
      'json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.generation of type int64',
    );
    expect(embeddedMetadataProblem({ generation: 2 })).toBeUndefined();
  });
});
