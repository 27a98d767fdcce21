import { describe, expect, it } from 'vitest';
import { parseIncludeObject, transformMismatch } from './index.js';

describe('transformMismatch', () => {
  it.each([
    ['', 'Namespace', '*core.NamespaceList'],
    ['apps', 'Deployment', '*apps.DeploymentList'],
    ['rbac.authorization.k8s.io', 'ClusterRole', '*rbac.ClusterRoleList'],
    ['events.k8s.io', 'Event', '*core.EventList'],
    ['x.example.com', 'Gizmo', '*unstructured.UnstructuredList'],
  ])('refuses a list of %s %s as one object', (group, kind, type) => {
    expect(transformMismatch('PartialObjectMetadata', { group, kind }, true)).toBe(
      `you requested PartialObjectMetadata, but the requested object is a list (${type})`,
    );
    expect(transformMismatch('PartialObjectMetadataList', { group, kind }, true)).toBeUndefined();
  });

  it('refuses one object as a list', () => {
    expect(transformMismatch('PartialObjectMetadataList', { group: '', kind: 'Namespace' }, false)).toBe(
      'you requested PartialObjectMetadataList, but the requested object is not a list (*core.Namespace)',
    );
    expect(transformMismatch('PartialObjectMetadata', { group: '', kind: 'Namespace' }, false)).toBeUndefined();
  });

  it.each([true, false])('lets anything become a table (list: %s)', (isList) => {
    expect(transformMismatch('Table', { group: '', kind: 'Namespace' }, isList)).toBeUndefined();
  });
});

describe('parseIncludeObject', () => {
  it.each([
    [undefined, 'Metadata'],
    [null, 'Metadata'],
    ['', 'Metadata'],
    ['None', 'None'],
    ['Metadata', 'Metadata'],
    ['Object', 'Object'],
  ])('reads %j as %s', (value, includeObject) => {
    expect(parseIncludeObject(value)).toEqual({ includeObject });
  });

  it('refuses anything else in the words of the real server', () => {
    expect(parseIncludeObject('none')).toEqual({
      error: `Unable to convert to Table as requested: includeObject: Invalid value: "none": must be 'Metadata', 'Object', 'None', or empty`,
    });
  });
});
