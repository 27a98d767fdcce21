import { jsonOfProtobuf, protobufOfJson } from '@capstan/apiserver';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { ProtobufTranslator } from '@capstan/translate/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KINDS, randomObject } from './random-objects.js';
import { Reference, renamedWords } from './reference.js';

const mapping = new GroupMapping(CLUSTER_API_RULES);

function embedded(value: unknown): unknown {
  const object = value as Record<string, unknown>;
  return { ...object, apiVersion: mapping.swapApiVersion(String(object['apiVersion'])) };
}

const translator = new ProtobufTranslator({
  mapping,
  message: (sentence) => renamedWords(mapping, sentence),
  json: (bytes) => Buffer.from(JSON.stringify(embedded(JSON.parse(Buffer.from(bytes).toString())))),
});
const reference = new Reference(mapping, embedded);

const body = (object: Record<string, unknown>): Buffer =>
  Buffer.from(protobufOfJson(object as { apiVersion: string; kind: string }));

describe('a random object', () => {
  it('is there of every kind', () => {
    expect(KINDS.length).toBeGreaterThan(150);
  });

  it.each(KINDS.map((each) => ({ name: `${each.kind} of ${each.apiVersion}`, each })))(
    '$name comes out as its JSON would, and back as it was',
    ({ each }) => {
      fc.assert(
        fc.property(fc.integer(), (seed) => {
          const sent = body(randomObject(each, seed));
          const forth = Buffer.from(translator.body(sent));
          expect(jsonOfProtobuf(forth)).toEqual(reference.object(jsonOfProtobuf(sent), each.struct));
          expect(Buffer.from(translator.body(forth)).equals(sent)).toBe(true);
        }),
        { numRuns: 8 },
      );
    },
  );
});
