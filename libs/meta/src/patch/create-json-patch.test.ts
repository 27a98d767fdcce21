import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonPatch } from './create-json-patch.js';
import { applyJsonPatch, decodeJsonPatch } from './json-patch.js';

describe('createJsonPatch', () => {
  it.each<[string, unknown, unknown, unknown]>([
    ['nothing for equal documents', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
    ['a member added', {}, { 'a/b~c': 1 }, [{ op: 'add', path: '/a~1b~0c', value: 1 }]],
    ['a member taken off', { a: 1, b: 2 }, { b: 2 }, [{ op: 'remove', path: '/a' }]],
    ['a member changed deep down', { a: { b: 1 } }, { a: { b: 2 } }, [{ op: 'replace', path: '/a/b', value: 2 }]],
    ['a member set to null', { a: 1 }, { a: null }, [{ op: 'replace', path: '/a', value: null }]],
    [
      'a list cut short, from its end',
      [1, 2, 3],
      [9],
      [
        { op: 'replace', path: '/0', value: 9 },
        { op: 'remove', path: '/2' },
        { op: 'remove', path: '/1' },
      ],
    ],
    ['another type', { a: [] }, { a: {} }, [{ op: 'replace', path: '/a', value: {} }]],
  ])('gives %s', (_name, from, to, patch) => {
    expect(createJsonPatch(from, to)).toEqual(patch);
  });

  it('turns any object into any other', () => {
    const keys = fc.constantFrom('a', 'b/c', '~', '0', '');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.integer({ min: 0, max: 3 }),
        fc.constant(null),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(keys, tie('tree'), { maxKeys: 4 }),
      ),
    }));
    const documents = fc.dictionary(keys, tree, { maxKeys: 4 });
    fc.assert(
      fc.property(documents, documents, (from, to) => {
        const patch = createJsonPatch(from, to);
        const result = patch.length === 0 ? from : applyJsonPatch(from, decodeJsonPatch(patch).operations);
        expect(result).toEqual(to);
      }),
    );
  });
});
