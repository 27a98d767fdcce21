import { structsIn, typeTablePaths } from '@capstan/api/kubernetes';
import type { StructDef } from '@capstan/api/kubernetes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTyped } from '../codec/index.js';
import { LEAF_TEXTS } from '../codec/index.js';
import { structArbitrary } from './testing-values.js';
import { ProtobufError, decodeProtobuf, encodeProtobuf } from './index.js';

/** Every kind of every table that travels in protobuf. */
const KINDS: readonly StructDef[] = typeTablePaths()
  .flatMap((path) => structsIn(path))
  .filter(({ name, ownFields }) => name !== 'Table' && ownFields[0]?.inline === true && ownFields[0].proto === 0);

function canonical(struct: StructDef, value: unknown): Record<string, unknown> {
  return decodeTyped(struct, value, { texts: LEAF_TEXTS }).value;
}

describe('a random object', () => {
  it.each(KINDS.map((struct) => ({ name: struct.qualifiedName, struct })))(
    'of $name comes back as it was',
    ({ struct }) => {
      fc.assert(
        fc.property(structArbitrary(struct, 5), (sent) => {
          const value = canonical(struct, sent);
          const bytes = encodeProtobuf(struct, value);
          const back = canonical(struct, decodeProtobuf(struct, bytes));
          expect(back).toEqual(value);
          expect(encodeProtobuf(struct, back)).toEqual(bytes);
        }),
        { numRuns: 8 },
      );
    },
  );
});

describe('bytes that were tampered with', () => {
  const pod = KINDS.find(({ qualifiedName }) => qualifiedName === 'core/v1.Pod') as StructDef;
  const definition = KINDS.find(
    ({ qualifiedName }) => qualifiedName === 'apiextensions/v1.CustomResourceDefinition',
  ) as StructDef;

  function decodedOrRefused(struct: StructDef, bytes: Uint8Array): void {
    try {
      decodeProtobuf(struct, bytes);
    } catch (error) {
      if (!(error instanceof ProtobufError)) throw error;
    }
  }

  it.each([pod, definition])('are decoded or refused, never anything else', (struct) => {
    const tampered = fc.tuple(
      structArbitrary(struct, 4),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
      fc.nat(),
    );
    fc.assert(
      fc.property(tampered, ([value, changes, cut]) => {
        const bytes = encodeProtobuf(struct, canonical(struct, value)).slice();
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        decodedOrRefused(struct, bytes.subarray(0, cut % (bytes.length + 1)));
        decodedOrRefused(struct, bytes);
      }),
      { numRuns: 200 },
    );
  });

  it('that are no message at all are decoded or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => decodedOrRefused(pod, bytes)),
      { numRuns: 2000 },
    );
  });
});
