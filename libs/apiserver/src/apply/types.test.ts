import { structByName, structOf } from '@capstan/api/kubernetes';
import { describe, expect, it } from 'vitest';
import { atomicType, deducedType } from './apply-type.js';
import type { ApplyType } from './apply-type.js';
import { builtinFieldFilter, customFieldFilter } from './reset-fields.js';
import { setOfPaths } from './field-set.js';
import { applyTypeOfSchema } from './schema-type.js';
import { applyTypeOfStruct, emptyObjectOf } from './struct-type.js';
import { pathsOf } from './testing.js';

function builtin(group: string, version: string, kind: string): ApplyType {
  const struct = structOf(group, version, kind);
  if (struct === undefined) throw new Error(`no ${kind}`);
  return applyTypeOfStruct(struct);
}

/** The type down a path of members; `[]` is the element of a list, `{}` that of a map. */
function at(type: ApplyType, path: string): ApplyType {
  let here: ApplyType | undefined = type;
  for (const part of path === '' ? [] : path.split('.')) {
    here = part === '[]' ? here.list?.element : part === '{}' ? here.map?.element : here.map?.field(part)?.type;
    if (here === undefined) throw new Error(`nothing at ${part} of ${path}`);
  }
  return here;
}

function summary(type: ApplyType): string {
  if (type === atomicType) return 'any, atomic';
  if (type === deducedType) return 'any, deduced';
  if (type.list !== undefined)
    return type.list.atomic
      ? 'atomic list'
      : `${type.list.keys.length === 0 ? 'set' : `list by ${type.list.keys.join(',')}`}`;
  if (type.map !== undefined)
    return `${type.map.atomic ? 'atomic' : 'granular'} ${type.map.element === undefined ? 'struct' : 'map'}`;
  return type.scalar ?? '';
}

describe('built-in types', () => {
  it.each([
    ['apps/v1/Deployment', 'spec.replicas', 'numeric'],
    ['apps/v1/Deployment', 'spec.selector', 'atomic struct'],
    ['apps/v1/Deployment', 'spec.template.spec.containers', 'list by name'],
    ['apps/v1/Deployment', 'spec.template.spec.containers.[].ports', 'list by containerPort,protocol'],
    ['apps/v1/Deployment', 'spec.template.spec.containers.[].env', 'list by name'],
    ['apps/v1/Deployment', 'spec.template.spec.containers.[].envFrom', 'atomic list'],
    ['apps/v1/Deployment', 'spec.template.spec.containers.[].command', 'atomic list'],
    ['apps/v1/Deployment', 'spec.template.spec.containers.[].volumeMounts', 'list by mountPath'],
    ['apps/v1/Deployment', 'spec.template.spec.containers.[].resources.limits', 'granular map'],
    ['apps/v1/Deployment', 'spec.template.spec.containers.[].resources.limits.{}', 'untyped'],
    ['apps/v1/Deployment', 'spec.template.spec.nodeSelector', 'atomic map'],
    ['apps/v1/Deployment', 'spec.template.spec.tolerations', 'atomic list'],
    ['apps/v1/Deployment', 'spec.template.spec.volumes', 'list by name'],
    ['apps/v1/Deployment', 'spec.template.spec.imagePullSecrets.[]', 'atomic struct'],
    ['apps/v1/Deployment', 'spec.strategy.rollingUpdate.maxSurge', 'any, deduced'],
    ['apps/v1/Deployment', 'metadata.labels', 'granular map'],
    ['apps/v1/Deployment', 'metadata.finalizers', 'set'],
    ['apps/v1/Deployment', 'metadata.ownerReferences', 'list by uid'],
    ['apps/v1/Deployment', 'metadata.ownerReferences.[]', 'atomic struct'],
    ['apps/v1/Deployment', 'metadata.creationTimestamp', 'untyped'],
    ['apps/v1/Deployment', 'metadata.managedFields', 'atomic list'],
    ['apps/v1/Deployment', 'status.conditions', 'list by type'],
    ['/v1/Service', 'spec.ports', 'list by port,protocol'],
    ['/v1/Service', 'spec.selector', 'atomic map'],
    ['/v1/Service', 'spec.clusterIPs', 'atomic list'],
    ['/v1/ConfigMap', 'data', 'granular map'],
    ['/v1/ConfigMap', 'binaryData.{}', 'string'],
    ['/v1/ConfigMap', 'immutable', 'boolean'],
    ['apps/v1/ControllerRevision', 'data', 'any, atomic'],
    ['apiextensions.k8s.io/v1/CustomResourceDefinition', 'spec.versions', 'atomic list'],
    [
      'apiextensions.k8s.io/v1/CustomResourceDefinition',
      'spec.versions.[].schema.openAPIV3Schema.default',
      'any, deduced',
    ],
    [
      'apiextensions.k8s.io/v1/CustomResourceDefinition',
      'spec.versions.[].schema.openAPIV3Schema.properties.{}.properties',
      'granular map',
    ],
  ])('%s has at %s: %s', (kind, path, text) => {
    const parts = kind.split('/');
    const name = parts.pop() ?? '';
    const version = parts.pop() ?? '';
    expect(summary(at(builtin(parts.join('/'), version, name), path))).toBe(text);
  });

  it('publishes declared defaults and zero values of fields that are always written', () => {
    const ports = at(builtin('', 'v1', 'Pod'), 'spec.containers.[].ports.[]');
    expect(ports.map?.field('protocol')?.defaultValue).toBe('TCP');
    expect(ports.map?.field('containerPort')?.defaultValue).toBe(0);
    expect(ports.map?.field('hostIP')?.defaultValue).toBeUndefined();
  });

  it('knows no fields but the declared', () => {
    const { map } = builtin('', 'v1', 'Pod');
    expect(map?.field('zzz')).toBeUndefined();
    expect(map?.field('constructor')).toBeUndefined();
    expect(map?.element).toBeUndefined();
  });

  it('makes one type per struct', () => {
    expect(builtin('', 'v1', 'Pod')).toBe(builtin('', 'v1', 'Pod'));
  });

  it.each([
    ['/v1/ConfigMap', { metadata: {} }],
    ['/v1/Pod', { metadata: {}, spec: { containers: null }, status: {} }],
    [
      'apps/v1/Deployment',
      {
        metadata: {},
        spec: { selector: null, template: { metadata: {}, spec: { containers: null } }, strategy: {} },
        status: {},
      },
    ],
    ['rbac.authorization.k8s.io/v1/Role', { metadata: {}, rules: null }],
  ])('starts %s from what Go writes of an untouched struct', (kind, empty) => {
    const parts = kind.split('/');
    const name = parts.pop() ?? '';
    const version = parts.pop() ?? '';
    const struct = structOf(parts.join('/'), version, name);
    expect(struct && emptyObjectOf(struct)).toEqual(empty);
  });

  it('writes the zero times of an event', () => {
    const struct = structByName('core/v1.Event');
    expect(struct && emptyObjectOf(struct)).toMatchObject({
      eventTime: null,
      firstTimestamp: null,
      lastTimestamp: null,
    });
  });
});

describe('types from schemas', () => {
  const schema = applyTypeOfSchema({
    type: 'object',
    properties: {
      metadata: { type: 'object', properties: { name: { type: 'string' } } },
      spec: {
        type: 'object',
        properties: {
          date: { type: 'string', format: 'date-time' },
          bytes: { type: 'string', format: 'byte' },
          ios: { 'x-kubernetes-int-or-string': true },
          plain: { type: 'array', items: { type: 'string' } },
          open: { type: 'object' },
          closed: { type: 'object', additionalProperties: false },
          bag: { type: 'object', additionalProperties: true },
          kept: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { known: { type: 'object', properties: { a: { type: 'string' } } } },
          },
          embedded: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            properties: { spec: { type: 'object' } },
          },
          loose: { 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  });
  it.each([
    ['metadata.finalizers', 'set'],
    ['apiVersion', 'string'],
    ['spec.date', 'untyped'],
    ['spec.bytes', 'string'],
    ['spec.plain', 'atomic list'],
    ['spec.open', 'granular map'],
    ['spec.open.{}', 'any, deduced'],
    ['spec.closed', 'granular struct'],
    ['spec.bag.{}', 'any, deduced'],
    ['spec.kept.{}', 'any, deduced'],
    ['spec.kept.known.{}', 'any, deduced'],
    ['spec.embedded.metadata.ownerReferences', 'list by uid'],
    ['spec.embedded.spec', 'granular map'],
  ])('%s is: %s', (path, text) => {
    expect(summary(at(schema, path))).toBe(text);
  });

  it('takes a schema without a type for anything', () => {
    for (const path of ['spec.ios', 'spec.loose']) {
      const type = at(schema, path);
      expect([type.scalar, type.list?.atomic, type.map?.atomic]).toEqual(['untyped', true, false]);
    }
  });

  it('deduces everything without a schema', () => {
    expect(applyTypeOfSchema(undefined)).toBe(deducedType);
  });

  it('keeps unknown fields of the whole resource when the CRD preserves them', () => {
    const plain = { type: 'object', properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } } };
    expect(at(applyTypeOfSchema(plain), 'spec').map?.element).toBeUndefined();
    expect(at(applyTypeOfSchema(plain, { preserveUnknownFields: true }), 'spec').map?.element).toBe(deducedType);
    expect(applyTypeOfSchema(plain)).toBe(applyTypeOfSchema(plain));
  });
});

describe('reset fields', () => {
  const everything = setOfPaths(['f:metadata', 'f:labels', 'f:a'], ['f:spec', 'f:x'], ['f:status', 'f:y']);
  it.each([
    ['apps', 'deployments', '', ['.metadata.labels.a', '.spec.x']],
    ['apps', 'deployments', 'status', ['.status.y']],
    ['apps', 'statefulsets', 'status', ['.metadata.labels.a', '.status.y']],
    ['storage.k8s.io', 'volumeattachments', 'status', ['.status.y']],
    ['', 'pods', 'resize', []],
  ])('of %s/%s, %j, leave %j', (group, plural, subresource, left) => {
    const filter = builtinFieldFilter(group, plural, subresource);
    expect(pathsOf(filter?.(everything) ?? everything)).toEqual(left);
  });

  it('are none of kinds without status', () => {
    expect(builtinFieldFilter('', 'configmaps', '')).toBeUndefined();
    expect(builtinFieldFilter('', 'constructor', '')).toBeUndefined();
    expect(customFieldFilter('', false)).toBeUndefined();
  });

  it('are the status of custom resources that have it apart', () => {
    expect(pathsOf(customFieldFilter('', true)?.(everything) ?? everything)).toEqual(['.metadata.labels.a', '.spec.x']);
    expect(pathsOf(customFieldFilter('status', true)?.(everything) ?? everything)).toEqual(['.status.y']);
  });
});
