import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { orderedObject } from './metadata.js';

/** A custom resource whose fields have a manager. */
function owned(fieldsV1: Readonly<Record<string, unknown>>): KubeObject {
  const entry = { manager: 'm', operation: 'Update' as const, apiVersion: 'example.com/v1', fieldsType: 'FieldsV1' };
  const metadata = { name: 'x', managedFields: [{ ...entry, fieldsV1 }] };
  return { apiVersion: 'example.com/v1', kind: 'Thing', metadata } as unknown as KubeObject;
}

const fieldsOf = (object: KubeObject): unknown => object.metadata.managedFields?.[0]?.fieldsV1;

describe('The sets of fields of a custom resource', () => {
  it('are one for all objects that have the same', () => {
    const set = (): Record<string, unknown> => ({ 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } }, 'f:spec': {} });
    expect(fieldsOf(orderedObject(owned(set())))).toBe(fieldsOf(orderedObject(owned(set()))));
  });

  it.each<[name: string, set: Readonly<Record<string, unknown>>, sorted: string]>([
    [
      'of numbers within, by their texts',
      { 'f:spec': { 'k:{"port":80}': { '.': {} }, 'k:{"port":443}': {} } },
      '{"f:spec":{"k:{\\"port\\":443}":{},"k:{\\"port\\":80}":{".":{}}}}',
    ],
    ['of the outermost', { 'f:b': {}, 'f:a': { 'f:c': {} } }, '{"f:a":{"f:c":{}},"f:b":{}}'],
    ['by bytes, not by units', { 'f:\u{1f600}': {}, 'f:\uffee': {} }, '{"f:\uffee":{},"f:\u{1f600}":{}}'],
  ])('are put in order where they are not: %s', (_name, set, sorted) => {
    const before = JSON.stringify(set);
    expect(JSON.stringify(fieldsOf(orderedObject(owned(set))))).toBe(sorted);
    expect(JSON.stringify(set)).toBe(before);
  });
});
