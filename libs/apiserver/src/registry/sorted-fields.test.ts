import { deepFreeze } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { sortedFields } from './sorted-fields.js';

describe('a set of fields of a custom resource', () => {
  it('has its keys in the order of their texts', () => {
    const sorted = sortedFields({ 'k:{"port":80}': {}, 'f:b': { 'f:d': {}, '.': {} }, 'k:{"port":443}': {} });
    expect(JSON.stringify(sorted)).toBe('{"f:b":{".":{},"f:d":{}},"k:{\\"port\\":443}":{},"k:{\\"port\\":80}":{}}');
  });

  it('is one for all that have the same, however they were written', () => {
    const first = sortedFields(deepFreeze({ 'f:x': {}, 'f:shared': { 'f:y': {} } }));
    expect(sortedFields({ 'f:shared': { 'f:y': {} }, 'f:x': {} })).toBe(first);
    expect(sortedFields(first)).toBe(first);
    expect(sortedFields({ 'f:shared': {}, 'f:x': { 'f:y': {} } })).not.toBe(first);
  });

  it('is read again where it may have changed since', () => {
    const open: Record<string, object> = { 'f:one': {} };
    sortedFields(open);
    open['f:two'] = {};
    expect(Object.keys(sortedFields(open))).toEqual(['f:one', 'f:two']);
  });

  it('may hold what is no set', () => {
    expect(sortedFields({ 'f:b': 12n, 'f:a': null })).toEqual({ 'f:a': null, 'f:b': 12n });
  });
});
