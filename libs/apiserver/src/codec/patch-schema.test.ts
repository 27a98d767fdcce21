import { structOf } from '@capstan/api/kubernetes';
import { describe, expect, test } from 'vitest';

import { patchSchemaOf } from './patch-schema.js';
import type { StructPatchField, StructPatchSchema } from './patch-schema.js';

function at(group: string, kind: string, path: string): StructPatchField | undefined {
  const struct = structOf(group, 'v1', kind);
  if (struct === undefined) throw new Error(`no struct for ${kind}`);
  let schema: StructPatchSchema = patchSchemaOf(struct);
  let field: StructPatchField | undefined;
  for (const name of path.split('.')) {
    field = schema.field(name);
    if (field === undefined) return undefined;
    schema = field.schema;
  }
  return field;
}

describe('the strategic merge view of the built-in types', () => {
  test.each([
    ['apps', 'Deployment', 'spec.template.spec.containers', { strategy: 'merge', mergeKey: 'name' }],
    ['apps', 'Deployment', 'spec.template.spec.containers.ports', { strategy: 'merge', mergeKey: 'containerPort' }],
    ['apps', 'Deployment', 'spec.template.spec.volumes', { strategy: 'merge', retainKeys: true, mergeKey: 'name' }],
    ['apps', 'Deployment', 'spec.strategy', { retainKeys: true }],
    ['apps', 'Deployment', 'spec.template.spec.tolerations', {}],
    ['', 'Service', 'spec.ports', { strategy: 'merge', mergeKey: 'port' }],
    ['', 'Pod', 'metadata.finalizers', { strategy: 'merge' }],
    ['', 'Pod', 'metadata.ownerReferences', { strategy: 'merge', mergeKey: 'uid' }],
    ['', 'Pod', 'metadata.labels', {}],
    ['', 'Namespace', 'status.conditions', { strategy: 'merge', mergeKey: 'type' }],
  ])('%s %s %s', (group, kind, path, expected) => {
    const { schema: _, ...facts } = at(group, kind, path) ?? {};
    expect(facts).toEqual(expected);
  });

  test.each([
    ['apps', 'Deployment', 'spec.template.spec.containers', { kind: 'struct', name: 'Container' }],
    ['apps', 'Deployment', 'spec.selector', { kind: 'struct', name: 'LabelSelector' }],
    ['', 'Pod', 'metadata.labels', { kind: 'map', name: '' }],
    ['', 'Pod', 'metadata.finalizers', { kind: 'string', name: 'string' }],
    ['', 'Pod', 'metadata.creationTimestamp', { kind: 'struct', name: 'Time' }],
    ['apps', 'ControllerRevision', 'data', { kind: 'struct', name: 'RawExtension' }],
  ])('%s %s %s is of the type %j', (group, kind, path, type) => {
    expect(at(group, kind, path)?.schema).toMatchObject(type);
  });

  test('has no fields but those of the struct, whatever their case', () => {
    expect(at('', 'Pod', 'spec.foo')).toBeUndefined();
    expect(at('', 'Pod', 'Spec.CONTAINERS')).toBe(at('', 'Pod', 'spec.containers'));
  });
});
