import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../json/stringify.js';
import { deepFreeze } from '../json/values.js';
import type { JsonObject } from '../object.js';
import { StrategicMergePatchError } from './errors.js';
import type { PatchField, PatchSchema } from './patch-schema.js';
import { applyStrategicMergePatch } from './strategic-merge-patch.js';
import { strategicMergeCases } from './strategic-merge-patch.table.js';

const stringMap: PatchSchema = { kind: 'map', field: () => undefined };
const itemFields = new Map<string, PatchField>();
const item: PatchSchema = { name: 'Item', field: (name) => itemFields.get(name) };
const retained: PatchSchema = {
  name: 'RK',
  field: (name) =>
    name === 'simpleMap' ? { schema: stringMap } : name === 'name' || name === 'value' ? {} : undefined,
};
for (const name of ['name', 'value', 'other', 'nonMergingIntList']) itemFields.set(name, {});
itemFields.set('mergingList', { schema: item, strategy: 'merge', mergeKey: 'name' });
itemFields.set('nonMergingList', { schema: item });
itemFields.set('mergingIntList', { strategy: 'merge' });
itemFields.set('noKeyList', { schema: item, strategy: 'merge' });
itemFields.set('mapPtr', { schema: item, strategy: 'merge', mergeKey: 'name' });
itemFields.set('simpleMap', { schema: stringMap });
itemFields.set('replacingItem', { schema: item, strategy: 'replace' });
itemFields.set('retainKeysMap', { schema: retained, retainKeys: true });
itemFields.set('retainKeysMergingList', { schema: item, strategy: 'merge', retainKeys: true, mergeKey: 'name' });

function parse(text: string): JsonObject {
  return deepFreeze(JSON.parse(text) as JsonObject);
}

describe('applyStrategicMergePatch', () => {
  it.each(strategicMergeCases)('%s', (_name, doc, patch, expected) => {
    const run = (): string => canonicalJson(applyStrategicMergePatch(parse(doc), parse(patch), item));
    if (!expected.startsWith('! ')) {
      expect(run()).toBe(canonicalJson(JSON.parse(expected)));
      return;
    }
    let message: string | undefined;
    try {
      run();
    } catch (error) {
      message = error instanceof StrategicMergePatchError ? error.message : `another error: ${String(error)}`;
    }
    expect(message).toBe(expected.slice(2));
  });

  it.each([
    ['{"mergingIntList":[[1]]}', '{"mergingIntList":[[2]]}', 'unprocessable'],
    ['{}', '{"$deleteFromPrimitiveList":[1]}', 'bad-request'],
    ['{}', '{"$setElementOrder":[1]}', 'bad-request'],
    ['{"retainKeysMap":{}}', '{"retainKeysMap":{"$retainKeys":1}}', 'bad-request'],
    ['{}', '{"$patch":"bad"}', 'internal'],
  ])('of %s with %s fails as %s', (doc, patch, kind) => {
    expect(() => applyStrategicMergePatch(parse(doc), parse(patch), item)).toThrow(expect.objectContaining({ kind }));
  });

  it('shares what the patch does not touch', () => {
    const doc = parse('{"mapPtr":{"value":"1"},"mergingList":[{"name":"a"},{"name":"b"}]}');
    const result = applyStrategicMergePatch(doc, parse('{"mergingList":[{"name":"b","value":"2"}]}'), item);
    expect(result['mapPtr']).toBe(doc['mapPtr']);
    expect((result['mergingList'] as unknown[])[0]).toBe((doc['mergingList'] as unknown[])[0]);
  });
});
