import { describe, expect, test } from 'vitest';

import { builtinResources } from '../resources/index.js';
import { goTypeName } from './model.js';
import type { StructDef, TypeRef } from './model.js';
import { structByName, structOf, structsIn, typeTablePaths } from './registry.js';

function named(qualifiedName: string): StructDef {
  const struct = structByName(qualifiedName);
  if (struct === undefined) throw new Error(`no struct ${qualifiedName}`);
  return struct;
}

const ALL = typeTablePaths().flatMap(structsIn);

/** Fails when a type names something that no table has: the loader throws. */
function visit(type: TypeRef): void {
  if (type.kind === 'list') visit(type.element);
  else if (type.kind === 'map') visit(type.value);
  else if (type.kind === 'struct') expect(structByName(type.struct.qualifiedName)).toBe(type.struct);
}

describe('the type tables', () => {
  test('hold every struct they refer to', () => {
    for (const struct of ALL) for (const field of struct.ownFields) visit(field.type);
    expect(ALL.length).toBeGreaterThan(600);
  });

  test('give every field of a struct a JSON name and a protobuf number of its own', () => {
    for (const struct of ALL) {
      const names = struct.fields.map((field) => field.name);
      expect({ of: struct.qualifiedName, names }).toEqual({ of: struct.qualifiedName, names: [...new Set(names)] });
      expect({ of: struct.qualifiedName, nameless: names.includes('') }).toMatchObject({ nameless: false });
      const numbers = struct.ownFields.map((field) => field.proto).filter((number) => number > 0);
      expect({ of: struct.qualifiedName, numbers }).toEqual({
        of: struct.qualifiedName,
        numbers: [...new Set(numbers)],
      });
    }
  });

  test('have no field whose name every JavaScript object has', () => {
    const inherited = ALL.flatMap((struct) => struct.fields.filter((field) => field.name in {}));
    expect(inherited).toEqual([]);
  });

  test('name a merge key and list-map keys that the elements have', () => {
    const missing = ALL.flatMap((struct) =>
      struct.fields.flatMap(({ type, patchMergeKey, listMapKeys, name }) => {
        if (type.kind !== 'list' || type.element.kind !== 'struct') return [];
        const element = type.element.struct;
        const keys = patchMergeKey === undefined ? listMapKeys : [...listMapKeys, patchMergeKey];
        return keys.filter((key) => element.field(key) === undefined).map((key) => `${struct.name}.${name}: ${key}`);
      }),
    );
    expect(missing).toEqual([]);
  });

  test('know every built-in resource, its list and what its subresources take', () => {
    const unknown: string[] = [];
    for (const { group, version, kind, listKind, subresources } of builtinResources) {
      if (structOf(group, version, kind) === undefined) unknown.push(`${group}/${version} ${kind}`);
      if (listKind !== undefined && structOf(group, version, listKind) === undefined)
        unknown.push(`${group}/${version} ${listKind}`);
      for (const sub of subresources) {
        if (structOf(sub.group ?? group, sub.version ?? version, sub.kind) === undefined)
          unknown.push(`${kind}/${sub.name}`);
      }
    }
    expect(unknown).toEqual([]);
  });
});

describe('looking up a kind', () => {
  test.each([
    ['', 'v1', 'Pod', 'core/v1.Pod'],
    ['apps', 'v1', 'Deployment', 'apps/v1.Deployment'],
    ['autoscaling', 'v1', 'Scale', 'autoscaling/v1.Scale'],
    ['policy', 'v1', 'Eviction', 'policy/v1.Eviction'],
    ['rbac.authorization.k8s.io', 'v1', 'RoleList', 'rbac/v1.RoleList'],
    ['apiextensions.k8s.io', 'v1', 'CustomResourceDefinition', 'apiextensions/v1.CustomResourceDefinition'],
    ['apiregistration.k8s.io', 'v1', 'APIService', 'apiregistration/v1.APIService'],
    ['apps', 'v1', 'DeleteOptions', 'meta/v1.DeleteOptions'],
    ['', 'v1', 'Status', 'meta/v1.Status'],
    ['', 'v1', 'List', 'meta/v1.List'],
    ['meta.k8s.io', 'v1', 'Table', 'meta/v1.Table'],
    ['meta.k8s.io', 'v1', 'PartialObjectMetadata', 'meta/v1.PartialObjectMetadata'],
  ])('%s/%s %s is %s', (group, version, kind, name) => {
    expect(structOf(group, version, kind)?.qualifiedName).toBe(name);
  });

  test.each([
    ['', 'v1', 'PodSpec'],
    ['', 'v1', 'ObjectReference'],
    ['', 'v1', 'PodPhase'],
    ['', 'v1', 'Nothing'],
    ['apps', 'v1beta1', 'Deployment'],
    ['apps', 'v1', 'Status'],
    ['example.com', 'v1', 'DeleteOptions'],
  ])('%s/%s has no kind %s', (group, version, kind) => {
    expect(structOf(group, version, kind)).toBeUndefined();
  });
});

describe('a struct', () => {
  test('has its names in Go, in OpenAPI and in this package', () => {
    expect(named('core/v1.PodSpec')).toMatchObject({
      name: 'PodSpec',
      path: 'core/v1',
      goName: 'v1.PodSpec',
      modelName: 'io.k8s.api.core.v1.PodSpec',
      atomic: false,
    });
    expect(named('core/v1.LocalObjectReference').atomic).toBe(true);
    expect(structByName('core/v1.NoSuchThing')).toBeUndefined();
    expect(structByName('nowhere/v1.Pod')).toBeUndefined();
  });

  test('flattens what it embeds in JSON and keeps it for protobuf', () => {
    const volume = named('core/v1.Volume');
    expect(volume.ownFields.map((field) => [field.name, field.inline, field.proto])).toEqual([
      ['name', false, 1],
      ['', true, 2],
    ]);
    expect(volume.field('hostPath')).toMatchObject({ proto: 1, embeddedIn: ['VolumeSource'] });
    expect(named('core/v1.Pod').fields.map((field) => field.name)).toEqual([
      'kind',
      'apiVersion',
      'metadata',
      'spec',
      'status',
    ]);
  });

  test.each([
    [
      'core/v1.PodSpec',
      'containers',
      {
        proto: 2,
        required: true,
        omitEmpty: false,
        patchStrategy: ['merge'],
        patchMergeKey: 'name',
        listType: 'map',
        listMapKeys: ['name'],
      },
    ],
    [
      'core/v1.PodSpec',
      'volumes',
      { proto: 1, required: false, omitEmpty: true, patchStrategy: ['merge', 'retainKeys'] },
    ],
    ['core/v1.PodSpec', 'nodeSelector', { mapType: 'atomic' }],
    ['core/v1.ContainerPort', 'protocol', { defaultValue: 'TCP' }],
    ['core/v1.AzureDiskVolumeSource', 'cachingMode', { defaultValue: 'ReadWrite' }],
    ['core/v1.ServiceSpec', 'ports', { patchMergeKey: 'port', listMapKeys: ['port', 'protocol'] }],
    ['meta/v1.ObjectMeta', 'creationTimestamp', { proto: 8, omitEmpty: true, omitZero: true }],
    ['meta/v1.ObjectMeta', 'finalizers', { patchStrategy: ['merge'], patchMergeKey: undefined, listType: 'set' }],
    ['apps/v1.DeploymentSpec', 'strategy', { patchStrategy: ['retainKeys'] }],
    ['meta/v1.LabelSelectorRequirement', 'values', { listType: 'atomic', listMapKeys: [] }],
  ])('%s.%s has its facts', (struct, field, facts) => {
    expect(named(struct).field(field)).toMatchObject(facts);
  });

  test.each([
    ['core/v1.PodStatus', 'phase', 'v1.PodPhase', false],
    ['core/v1.PodSpec', 'containers', '[]v1.Container', false],
    ['core/v1.PodSpec', 'securityContext', 'v1.PodSecurityContext', true],
    ['core/v1.ResourceRequirements', 'limits', 'v1.ResourceList', false],
    ['core/v1.PodSpec', 'nodeSelector', 'map[string]string', false],
    ['core/v1.Secret', 'data', 'map[string][]uint8', false],
    ['core/v1.ServicePort', 'targetPort', 'intstr.IntOrString', false],
    [
      'core/v1.PersistentVolumeClaimStatus',
      'allocatedResourceStatuses',
      'map[v1.ResourceName]v1.ClaimResourceStatus',
      false,
    ],
    ['meta/v1.ObjectMeta', 'uid', 'types.UID', false],
    ['meta/v1.ObjectMeta', 'deletionTimestamp', 'v1.Time', true],
    ['meta/v1.TableRow', 'cells', '[]interface {}', false],
    ['authentication/v1.UserInfo', 'extra', 'map[string]v1.ExtraValue', false],
    ['core/v1.ServiceSpec', 'internalTrafficPolicy', 'v1.ServiceInternalTrafficPolicy', true],
  ])('%s.%s is a %s, pointer: %s', (struct, field, goType, pointer) => {
    const type = named(struct).field(field)?.type;
    expect(type === undefined ? undefined : goTypeName(type)).toBe(goType);
    expect(type?.pointer).toBe(pointer);
  });

  test('marks lists that are messages of their own in protobuf', () => {
    const extra = named('authentication/v1.UserInfo').field('extra')?.type;
    expect(extra).toMatchObject({ kind: 'map', value: { kind: 'list', wrapped: true } });
    expect(named('core/v1.PodSpec').field('containers')?.type).toMatchObject({ kind: 'list', wrapped: false });
  });
});
