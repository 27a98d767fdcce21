import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../json/stringify.js';
import { deepFreeze } from '../json/values.js';
import type { JsonObject } from '../object.js';
import { StrategicMergePatchError } from './errors.js';
import type { PatchField, PatchSchema } from './patch-schema.js';
import { applyStrategicMergePatch } from './strategic-merge-patch.js';

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

/** Name, document, patch, result; a result that starts with `! ` is the error's whole message. */
const cases: readonly (readonly [string, string, string, string])[] = [
  ['keeps what an empty patch does not mention', '{"name":"x","value":"1"}', '{}', '{"name":"x","value":"1"}'],
  ['adds a scalar', '{"name":"x"}', '{"value":"1"}', '{"name":"x","value":"1"}'],
  ['replaces a scalar', '{"value":"1"}', '{"value":"2"}', '{"value":"2"}'],
  ['deletes a scalar by null', '{"value":"1","other":"2"}', '{"value":null}', '{"other":"2"}'],
  ['ignores null for an absent field', '{"value":"1"}', '{"other":null}', '{"value":"1"}'],
  ['adds a field the type does not know', '{}', '{"unknown":"x"}', '{"unknown":"x"}'],
  ['overwrites a scalar with an object', '{"value":"1"}', '{"value":{"a":1}}', '{"value":{"a":1}}'],
  ['overwrites an object with a scalar', '{"mapPtr":{"name":"a"}}', '{"mapPtr":"s"}', '{"mapPtr":"s"}'],
  [
    'merges nested objects',
    '{"mapPtr":{"value":"1","other":"2"}}',
    '{"mapPtr":{"value":"3"}}',
    '{"mapPtr":{"other":"2","value":"3"}}',
  ],
  [
    'deletes inside nested objects',
    '{"mapPtr":{"value":"1","other":"2"}}',
    '{"mapPtr":{"value":null}}',
    '{"mapPtr":{"other":"2"}}',
  ],
  [
    'creates a nested object without its nulls',
    '{}',
    '{"mapPtr":{"value":null,"other":"1"}}',
    '{"mapPtr":{"other":"1"}}',
  ],
  [
    'strips nulls at depth in a new object',
    '{}',
    '{"mapPtr":{"mapPtr":{"value":null,"name":"a"}}}',
    '{"mapPtr":{"mapPtr":{"name":"a"}}}',
  ],
  ['keeps null list elements in new lists', '{}', '{"nonMergingIntList":[null,1]}', '{"nonMergingIntList":[null,1]}'],
  [
    'merges string maps',
    '{"simpleMap":{"a":"1","b":"2"}}',
    '{"simpleMap":{"b":null,"c":"3"}}',
    '{"simpleMap":{"a":"1","c":"3"}}',
  ],
  [
    'refuses to look into maps of objects',
    '{"simpleMap":{"a":{"x":"1"}}}',
    '{"simpleMap":{"a":{"y":"1"}}}',
    '! merging an object in json but data type is not struct, instead is: map',
  ],
  [
    'refuses objects under unknown fields that exist',
    '{"zork":{"a":1}}',
    '{"zork":{"b":1}}',
    '! unable to find api field in struct Item for the json field "zork"',
  ],
  [
    'refuses lists under unknown fields that exist',
    '{"zork":[1]}',
    '{"zork":[2]}',
    '! unable to find api field in struct Item for the json field "zork"',
  ],
  [
    'replaces an object with the replace strategy whole',
    '{"replacingItem":{"value":"1","other":"2"}}',
    '{"replacingItem":{"name":"n"}}',
    '{"replacingItem":{"name":"n"}}',
  ],
  [
    'keeps nulls when the replace strategy takes the patch',
    '{"replacingItem":{"value":"1"}}',
    '{"replacingItem":{"name":null}}',
    '{"replacingItem":{"name":null}}',
  ],
  ['empties an object by $patch delete', '{"mapPtr":{"value":"1"}}', '{"mapPtr":{"$patch":"delete"}}', '{"mapPtr":{}}'],
  ['drops a new object with $patch delete', '{}', '{"mapPtr":{"$patch":"delete","value":"1"}}', '{}'],
  [
    'replaces an object by $patch replace',
    '{"mapPtr":{"value":"1","other":"2"}}',
    '{"mapPtr":{"$patch":"replace","name":"n"}}',
    '{"mapPtr":{"name":"n"}}',
  ],
  ['drops a new object with $patch replace', '{}', '{"mapPtr":{"$patch":"replace","value":"1"}}', '{}'],
  [
    'replaces the whole document by $patch replace',
    '{"value":"1","other":"2"}',
    '{"$patch":"replace","name":"n"}',
    '{"name":"n"}',
  ],
  ['empties the whole document by $patch delete', '{"value":"1"}', '{"$patch":"delete"}', '{}'],
  [
    'refuses $patch merge on an object',
    '{"mapPtr":{"value":"1"}}',
    '{"mapPtr":{"$patch":"merge","other":"2"}}',
    '! unknown patch type: merge in map: map[$patch:merge other:2]',
  ],
  [
    'refuses an unknown $patch',
    '{"value":"1"}',
    '{"$patch":"bad","b":[1,{"c":null}],"a":1.5}',
    '! unknown patch type: bad in map: map[$patch:bad a:1.5 b:[1 map[c:<nil>]]]',
  ],
  [
    'refuses a $patch that is no string',
    '{"value":"1"}',
    '{"$patch":5}',
    '! unknown patch type: %!s(int64=5) in map: map[$patch:5]',
  ],
  [
    'refuses a null $patch',
    '{"value":"1"}',
    '{"$patch":null}',
    '! unknown patch type: %!s(<nil>) in map: map[$patch:<nil>]',
  ],
  [
    'keeps nested directives under $patch replace',
    '{"mapPtr":{"value":"1"}}',
    '{"mapPtr":{"$patch":"replace","mapPtr":{"$patch":"delete"}}}',
    '{"mapPtr":{"mapPtr":{"$patch":"delete"}}}',
  ],
  [
    'replaces a list without strategy',
    '{"nonMergingList":[{"name":"a"},{"name":"b"}]}',
    '{"nonMergingList":[{"name":"c"}]}',
    '{"nonMergingList":[{"name":"c"}]}',
  ],
  [
    'replaces a list of integers without strategy',
    '{"nonMergingIntList":[1,2]}',
    '{"nonMergingIntList":[3]}',
    '{"nonMergingIntList":[3]}',
  ],
  ['empties an atomic list', '{"nonMergingList":[{"name":"a"}]}', '{"nonMergingList":[]}', '{"nonMergingList":[]}'],
  [
    'keeps an atomic list directive as it is',
    '{"nonMergingList":[{"name":"a"}]}',
    '{"nonMergingList":[{"name":"b","$patch":"delete"}]}',
    '{"nonMergingList":[{"$patch":"delete","name":"b"}]}',
  ],
  ['unites a set list', '{"mergingIntList":[1,2]}', '{"mergingIntList":[2,3]}', '{"mergingIntList":[1,2,3]}'],
  [
    'puts the patch first in a set list',
    '{"mergingIntList":[1,2,3]}',
    '{"mergingIntList":[4,3]}',
    '{"mergingIntList":[4,1,2,3]}',
  ],
  [
    'interleaves a set list by the live order',
    '{"mergingIntList":[1,2,3,4]}',
    '{"mergingIntList":[4,2]}',
    '{"mergingIntList":[1,3,4,2]}',
  ],
  ['unites with an empty live set', '{"mergingIntList":[]}', '{"mergingIntList":[1]}', '{"mergingIntList":[1]}'],
  [
    'leaves a set list alone for an empty patch',
    '{"mergingIntList":[1,2]}',
    '{"mergingIntList":[]}',
    '{"mergingIntList":[1,2]}',
  ],
  ['leaves two empty sets empty', '{"mergingIntList":[]}', '{"mergingIntList":[]}', '{"mergingIntList":[]}'],
  ['takes a set list as it is when there is none', '{}', '{"mergingIntList":[2,1,2]}', '{"mergingIntList":[2,1,2]}'],
  ['deletes a set list by null', '{"mergingIntList":[1]}', '{"mergingIntList":null}', '{}'],
  [
    'deletes from a set list',
    '{"mergingIntList":[1,2,3]}',
    '{"$deleteFromPrimitiveList/mergingIntList":[1,3,9]}',
    '{"mergingIntList":[2]}',
  ],
  [
    'deletes from an atomic list of scalars',
    '{"nonMergingIntList":[1,2,1]}',
    '{"$deleteFromPrimitiveList/nonMergingIntList":[1]}',
    '{"nonMergingIntList":[2]}',
  ],
  ['ignores a deletion from an absent list', '{}', '{"$deleteFromPrimitiveList/mergingIntList":[1]}', '{}'],
  [
    'ignores a deletion from something that is no list',
    '{"mergingIntList":"x"}',
    '{"$deleteFromPrimitiveList/mergingIntList":[1]}',
    '{"mergingIntList":"x"}',
  ],
  [
    'deletes a list whole by a null deletion',
    '{"mergingIntList":[1]}',
    '{"$deleteFromPrimitiveList/mergingIntList":null}',
    '{}',
  ],
  [
    'refuses a deletion without a list name',
    '{}',
    '{"$deleteFromPrimitiveList":[1]}',
    '! invalid patch format of primitive list',
  ],
  [
    'refuses a deletion with a misspelt prefix',
    '{}',
    '{"$deleteFromPrimitiveListX/mergingIntList":[1]}',
    '! invalid patch format of primitive list',
  ],
  [
    'deletes, adds and orders a set list at once',
    '{"mergingIntList":[1,2,3]}',
    '{"$deleteFromPrimitiveList/mergingIntList":[1],"mergingIntList":[4],"$setElementOrder/mergingIntList":[2,4,3]}',
    '{"mergingIntList":[2,4,3]}',
  ],
  [
    'refuses mixed element types',
    '{"mergingIntList":[1]}',
    '{"mergingIntList":["a"]}',
    '! list element types are not identical: [[1] [a]]',
  ],
  [
    'refuses null elements beside others',
    '{"mergingIntList":[1]}',
    '{"mergingIntList":[null]}',
    '! list element types are not identical: [[1] [<nil>]]',
  ],
  [
    'refuses lists of lists',
    '{"mergingIntList":[[1]]}',
    '{"mergingIntList":[[2]]}',
    '! lists of lists are not supported',
  ],
  [
    'refuses lists of lists in the patch alone',
    '{"mergingIntList":[]}',
    '{"mergingIntList":[[2]]}',
    '! lists of lists are not supported',
  ],
  [
    'refuses integers beside fractions',
    '{"mergingIntList":[1]}',
    '{"mergingIntList":[1.5]}',
    '! list element types are not identical: [[1] [1.5]]',
  ],
  [
    'merges an element by key',
    '{"mergingList":[{"name":"a","value":"1","other":"o"}]}',
    '{"mergingList":[{"name":"a","value":"2"}]}',
    '{"mergingList":[{"name":"a","other":"o","value":"2"}]}',
  ],
  [
    'appends a new element',
    '{"mergingList":[{"name":"a"}]}',
    '{"mergingList":[{"name":"b"}]}',
    '{"mergingList":[{"name":"b"},{"name":"a"}]}',
  ],
  [
    'puts a new element before untouched live ones',
    '{"mergingList":[{"name":"a"},{"name":"b"}]}',
    '{"mergingList":[{"name":"c"}]}',
    '{"mergingList":[{"name":"c"},{"name":"a"},{"name":"b"}]}',
  ],
  [
    'keeps nulls of a new element',
    '{"mergingList":[{"name":"a"}]}',
    '{"mergingList":[{"name":"b","value":null}]}',
    '{"mergingList":[{"name":"b","value":null},{"name":"a"}]}',
  ],
  [
    'deletes inside an element by null',
    '{"mergingList":[{"name":"a","value":"1"}]}',
    '{"mergingList":[{"name":"a","value":null}]}',
    '{"mergingList":[{"name":"a"}]}',
  ],
  [
    'deletes an element',
    '{"mergingList":[{"name":"a"},{"name":"b"},{"name":"c"}]}',
    '{"mergingList":[{"name":"b","$patch":"delete"}]}',
    '{"mergingList":[{"name":"a"},{"name":"c"}]}',
  ],
  [
    'deletes every element with the key',
    '{"mergingList":[{"name":"a"},{"name":"b"},{"name":"a"}]}',
    '{"mergingList":[{"name":"a","$patch":"delete"}]}',
    '{"mergingList":[{"name":"b"}]}',
  ],
  [
    'ignores the deletion of an absent element',
    '{"mergingList":[{"name":"a"}]}',
    '{"mergingList":[{"name":"z","$patch":"delete"}]}',
    '{"mergingList":[{"name":"a"}]}',
  ],
  [
    'ignores deletions when the list is absent',
    '{}',
    '{"mergingList":[{"name":"z","$patch":"delete"},{"name":"y"}]}',
    '{"mergingList":[{"name":"y"}]}',
  ],
  [
    'deletes and adds the same key',
    '{"mergingList":[{"name":"a","value":"1"}]}',
    '{"mergingList":[{"name":"a","$patch":"delete"},{"name":"a","other":"2"}]}',
    '{"mergingList":[{"name":"a","other":"2"}]}',
  ],
  [
    'replaces the list by a $patch replace element',
    '{"mergingList":[{"name":"a"},{"name":"b"}]}',
    '{"mergingList":[{"name":"c"},{"$patch":"replace"}]}',
    '{"mergingList":[{"name":"c"}]}',
  ],
  [
    'empties the list by a lone $patch replace element',
    '{"mergingList":[{"name":"a"},{"name":"b"}]}',
    '{"mergingList":[{"$patch":"replace"}]}',
    '{"mergingList":[]}',
  ],
  [
    'refuses a $patch merge element',
    '{"mergingList":[{"name":"a"}]}',
    '{"mergingList":[{"name":"a","$patch":"merge"}]}',
    '! merging lists cannot yet be specified in the patch',
  ],
  [
    'refuses an unknown $patch element',
    '{"mergingList":[{"name":"a"}]}',
    '{"mergingList":[{"name":"a","$patch":"zap"}]}',
    '! unknown patch type: zap in map: map[$patch:zap name:a]',
  ],
  [
    'refuses a deletion without merge key',
    '{"mergingList":[{"name":"a"}]}',
    '{"mergingList":[{"value":"1","$patch":"delete"}]}',
    '! map: map[$patch:delete value:1] does not contain declared merge key: name',
  ],
  [
    'refuses a patch element without merge key',
    '{"mergingList":[{"name":"a"}]}',
    '{"mergingList":[{"value":"1"}]}',
    '! map: map[value:1] does not contain declared merge key: name',
  ],
  [
    'refuses a live element without merge key',
    '{"mergingList":[{"value":"1"}]}',
    '{"mergingList":[{"name":"a"}]}',
    '! map: map[value:1] does not contain declared merge key: name',
  ],
  [
    'accepts an element without merge key in a new list',
    '{}',
    '{"mergingList":[{"value":"1"}]}',
    '{"mergingList":[{"value":"1"}]}',
  ],
  [
    'refuses a merge list without a key',
    '{"noKeyList":[{"name":"a"}]}',
    '{"noKeyList":[{"name":"b"}]}',
    '! cannot merge lists without merge key for struct',
  ],
  [
    'merges lists inside elements',
    '{"mergingList":[{"name":"a","mergingList":[{"name":"x"},{"name":"y"}]}]}',
    '{"mergingList":[{"name":"a","mergingList":[{"name":"y","value":"1"}]}]}',
    '{"mergingList":[{"mergingList":[{"name":"x"},{"name":"y","value":"1"}],"name":"a"}]}',
  ],
  [
    'merges set lists inside elements',
    '{"mergingList":[{"name":"a","mergingIntList":[1]}]}',
    '{"mergingList":[{"name":"a","mergingIntList":[2]}]}',
    '{"mergingList":[{"mergingIntList":[2,1],"name":"a"}]}',
  ],
  [
    'orders patch elements as the patch does',
    '{"mergingList":[{"name":"a"},{"name":"b"},{"name":"c"}]}',
    '{"mergingList":[{"name":"c"},{"name":"a"}]}',
    '{"mergingList":[{"name":"b"},{"name":"c"},{"name":"a"}]}',
  ],
  [
    'keeps live-only elements where they were',
    '{"mergingList":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"}]}',
    '{"mergingList":[{"name":"d"},{"name":"b"}]}',
    '{"mergingList":[{"name":"a"},{"name":"c"},{"name":"d"},{"name":"b"}]}',
  ],
  [
    'orders by $setElementOrder',
    '{"mergingList":[{"name":"a"},{"name":"b"},{"name":"c"}]}',
    '{"$setElementOrder/mergingList":[{"name":"c"},{"name":"b"},{"name":"a"}]}',
    '{"mergingList":[{"name":"c"},{"name":"b"},{"name":"a"}]}',
  ],
  [
    'keeps elements $setElementOrder does not name',
    '{"mergingList":[{"name":"a"},{"name":"b"},{"name":"c"}]}',
    '{"$setElementOrder/mergingList":[{"name":"c"},{"name":"a"}]}',
    '{"mergingList":[{"name":"b"},{"name":"c"},{"name":"a"}]}',
  ],
  [
    'orders changed and new elements',
    '{"mergingList":[{"name":"a"},{"name":"b"}]}',
    '{"mergingList":[{"name":"c","value":"1"},{"name":"a","value":"2"}],"$setElementOrder/mergingList":[{"name":"c"},{"name":"b"},{"name":"a"}]}',
    '{"mergingList":[{"name":"c","value":"1"},{"name":"b"},{"name":"a","value":"2"}]}',
  ],
  [
    'orders around a deletion',
    '{"mergingList":[{"name":"a"},{"name":"b"},{"name":"c"}]}',
    '{"mergingList":[{"name":"c"},{"name":"b","$patch":"delete"}],"$setElementOrder/mergingList":[{"name":"c"},{"name":"a"}]}',
    '{"mergingList":[{"name":"c"},{"name":"a"}]}',
  ],
  [
    'lets a new element take the place of a deleted one',
    '{"mergingList":[{"name":"d"},{"name":"e"},{"name":"c"}]}',
    '{"mergingList":[{"name":"c","$patch":"delete"},{"name":"b"}],"$setElementOrder/mergingList":[{"name":"b"},{"name":"d"}]}',
    '{"mergingList":[{"name":"e"},{"name":"b"},{"name":"d"}]}',
  ],
  [
    'lets shifted elements come before a new one',
    '{"mergingList":[{"name":"b"},{"name":"e"}]}',
    '{"mergingList":[{"name":"c"},{"name":"a"},{"name":"b","$patch":"delete"}],"$setElementOrder/mergingList":[{"name":"c"},{"name":"a"},{"name":"d"}]}',
    '{"mergingList":[{"name":"e"},{"name":"c"},{"name":"a"}]}',
  ],
  [
    'orders after a $patch replace',
    '{"mergingList":[{"name":"a"},{"name":"b"}]}',
    '{"mergingList":[{"name":"d"},{"name":"c"},{"$patch":"replace"}],"$setElementOrder/mergingList":[{"name":"d"},{"name":"c"}]}',
    "! The order in patch list:\n[map[name:d] map[name:c] map[$patch:replace]]\n doesn't match $setElementOrder list:\n[map[name:d] map[name:c]]\n",
  ],
  [
    'creates an ordered list',
    '{}',
    '{"mergingList":[{"name":"b"},{"name":"a"}],"$setElementOrder/mergingList":[{"name":"b"},{"name":"a"}]}',
    '{"mergingList":[{"name":"b"},{"name":"a"}]}',
  ],
  ['ignores an order for a list nobody has', '{}', '{"$setElementOrder/mergingList":[{"name":"a"}]}', '{}'],
  [
    'ignores names the list does not have',
    '{"mergingList":[{"name":"a"}]}',
    '{"$setElementOrder/mergingList":[{"name":"z"},{"name":"a"}]}',
    '{"mergingList":[{"name":"a"}]}',
  ],
  [
    'orders a set list',
    '{"mergingIntList":[1,2,3]}',
    '{"$setElementOrder/mergingIntList":[3,1,2]}',
    '{"mergingIntList":[3,1,2]}',
  ],
  [
    'orders a set list with additions',
    '{"mergingIntList":[1,2]}',
    '{"mergingIntList":[3],"$setElementOrder/mergingIntList":[2,3,1]}',
    '{"mergingIntList":[2,3,1]}',
  ],
  [
    'accepts an empty order',
    '{"mergingList":[{"name":"a"}]}',
    '{"mergingList":[{"name":"b"}],"$setElementOrder/mergingList":[]}',
    '{"mergingList":[{"name":"a"},{"name":"b"}]}',
  ],
  [
    'refuses a patch element missing from the order',
    '{"mergingList":[{"name":"a"}]}',
    '{"mergingList":[{"name":"b"}],"$setElementOrder/mergingList":[{"name":"a"}]}',
    "! The order in patch list:\n[map[name:b]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
  ],
  [
    'refuses a patch out of order',
    '{"mergingIntList":[1]}',
    '{"mergingIntList":[2,3],"$setElementOrder/mergingIntList":[3,2]}',
    "! The order in patch list:\n[2 3]\n doesn't match $setElementOrder list:\n[3 2]\n",
  ],
  [
    'refuses an order without merge keys',
    '{"mergingList":[{"name":"a"}]}',
    '{"mergingList":[{"name":"a"}],"$setElementOrder/mergingList":[{"value":"x"}]}',
    '! map: map[value:x] does not contain declared merge key: name',
  ],
  [
    'refuses an order that is no list',
    '{"mergingList":[{"name":"a"}]}',
    '{"$setElementOrder/mergingList":"x"}',
    '! expected a []interface {}, but received a string',
  ],
  [
    'refuses an order without a list name',
    '{}',
    '{"$setElementOrder":[1]}',
    '! invalid patch format of setElementOrder list',
  ],
  [
    'refuses to order something that is no list',
    '{"mergingList":"x"}',
    '{"$setElementOrder/mergingList":[{"name":"a"}]}',
    '! expected a []interface {}, but received a string',
  ],
  [
    'refuses to order a null list',
    '{"mergingList":null}',
    '{"$setElementOrder/mergingList":[{"name":"a"}]}',
    '! expected a []interface {}, but received a %!s(<nil>)',
  ],
  [
    'refuses to order two empty lists',
    '{"mergingList":[]}',
    '{"mergingList":[],"$setElementOrder/mergingList":[{"name":"a"}]}',
    '! no elements in any of the given slices',
  ],
  [
    'refuses to order a field the type does not know',
    '{}',
    '{"$setElementOrder/zork":[1]}',
    '! unable to find api field in struct Item for the json field "zork"',
  ],
  [
    'orders a list inside an element',
    '{"mergingList":[{"name":"a","mergingList":[{"name":"x"},{"name":"y"}]}]}',
    '{"mergingList":[{"name":"a","$setElementOrder/mergingList":[{"name":"y"},{"name":"x"}]}]}',
    '{"mergingList":[{"mergingList":[{"name":"y"},{"name":"x"}],"name":"a"}]}',
  ],
  [
    'retains only listed keys',
    '{"retainKeysMap":{"name":"a","value":1,"simpleMap":{"k":"v"}}}',
    '{"retainKeysMap":{"$retainKeys":["value"],"value":2}}',
    '{"retainKeysMap":{"value":2}}',
  ],
  [
    'retains keys without setting any',
    '{"retainKeysMap":{"name":"a","value":1}}',
    '{"retainKeysMap":{"$retainKeys":["name"]}}',
    '{"retainKeysMap":{"name":"a"}}',
  ],
  [
    'allows nulls beside $retainKeys',
    '{"retainKeysMap":{"name":"a","value":1}}',
    '{"retainKeysMap":{"$retainKeys":["name"],"value":null}}',
    '{"retainKeysMap":{"name":"a"}}',
  ],
  [
    'refuses keys $retainKeys does not list',
    '{"retainKeysMap":{"name":"a"}}',
    '{"retainKeysMap":{"$retainKeys":["name"],"value":1}}',
    '! invalid patch format of retainKeys',
  ],
  [
    'refuses a $retainKeys that is no list',
    '{"retainKeysMap":{"name":"a"}}',
    '{"retainKeysMap":{"$retainKeys":"name"}}',
    '! invalid patch format of retainKeys',
  ],
  [
    'keeps $retainKeys in a new object',
    '{}',
    '{"retainKeysMap":{"$retainKeys":["name"],"name":"a"}}',
    '{"retainKeysMap":{"$retainKeys":["name"],"name":"a"}}',
  ],
  [
    'retains keys inside elements',
    '{"retainKeysMergingList":[{"name":"a","value":"1","other":"2"}]}',
    '{"retainKeysMergingList":[{"name":"a","value":"3","$retainKeys":["name","value"]}]}',
    '{"retainKeysMergingList":[{"name":"a","value":"3"}]}',
  ],
  [
    'retains keys with an order directive in the same object',
    '{"mapPtr":{"mergingList":[{"name":"a"},{"name":"b"}],"value":"1"}}',
    '{"mapPtr":{"$retainKeys":["mergingList"],"$setElementOrder/mergingList":[{"name":"b"},{"name":"a"}]}}',
    '{"mapPtr":{"mergingList":[{"name":"b"},{"name":"a"}]}}',
  ],
  [
    'treats __proto__ as an ordinary key',
    '{"simpleMap":{"__proto__":"1"}}',
    '{"simpleMap":{"__proto__":null,"constructor":"x"}}',
    '{"simpleMap":{"constructor":"x"}}',
  ],
];

function parse(text: string): JsonObject {
  return deepFreeze(JSON.parse(text) as JsonObject);
}

describe('applyStrategicMergePatch', () => {
  it.each(cases)('%s', (_name, doc, patch, expected) => {
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
