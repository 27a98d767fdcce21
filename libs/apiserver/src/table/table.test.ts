import { builtinResources } from '@capstan/api/kubernetes';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { created, goldens, printedAt, type GoldenObject } from './goldens.table.js';
import {
  defaultPrinter,
  objectToTable,
  printerFor,
  tableColumns,
  toPartialMetadata,
  toPartialMetadataList,
  toTable,
  type TableOptions,
} from './index.js';

const groupOf = (apiVersion: string): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '');

function objectOf(apiVersion: string, kind: string, rest: GoldenObject): KubeObject {
  return { ...rest, apiVersion, kind, metadata: { ...rest.metadata, creationTimestamp: created } };
}

function namespaceNamed(name: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, resourceVersion: '7', creationTimestamp: created },
    status: { phase: 'Active' },
  };
}

const namespace = { group: '', kind: 'Namespace' };

describe('cells', () => {
  it.each(
    goldens.map(([apiVersion, kind, rest, cells]) => ({
      name: `${kind} ${rest.metadata.name}`,
      apiVersion,
      kind,
      rest,
      cells,
    })),
  )('of $name are those of a real server', ({ apiVersion, kind, rest, cells }) => {
    const table = objectToTable(
      objectOf(apiVersion, kind, rest),
      { group: groupOf(apiVersion), kind },
      { now: printedAt },
    );
    expect(table.rows?.[0]?.cells).toEqual(cells);
  });

  it('are as many as the columns, for every kind but addresses, whose age has no column', () => {
    for (const [apiVersion, kind, rest, cells] of goldens) {
      const surplus = kind === 'IPAddress' ? 1 : 0;
      const { length } = tableColumns({ group: groupOf(apiVersion), kind });
      expect([kind, rest.metadata.name, cells.length - surplus]).toEqual([kind, rest.metadata.name, length]);
    }
  });

  it('are printed for objects that carry nothing but metadata, as bookmarks do', () => {
    for (const { group, version, kind } of builtinResources) {
      const bookmark: KubeObject = {
        apiVersion: group === '' ? version : `${group}/${version}`,
        kind,
        metadata: { resourceVersion: '9' },
      };
      expect(printerFor(group, kind).cells(bookmark, printedAt).length).toBeGreaterThan(1);
    }
  });

  it('print an unknown age for an object that was never created', () => {
    const unborn: KubeObject = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'x', creationTimestamp: null },
    };
    expect(printerFor('', 'Namespace').cells(unborn, printedAt)).toEqual(['x', '', '<unknown>']);
  });

  it.each([
    { parentRef: { group: '', resource: 'Services', namespace: 'ns', name: 'a' }, cell: 'services/ns/a' },
    { parentRef: { group: 'x.io', resource: 'things', name: 'a' }, cell: 'things.x.io/a' },
    { parentRef: undefined, cell: '<none>' },
  ])('of an address name its holder as $cell', ({ parentRef, cell }) => {
    const address = objectOf('networking.k8s.io/v1', 'IPAddress', {
      metadata: { name: '10.0.0.1' },
      spec: { parentRef },
    });
    expect(printerFor('networking.k8s.io', 'IPAddress').cells(address, printedAt)).toEqual(['10.0.0.1', cell, '90m']);
  });

  it('of the scale subresource are wanted and present replicas', () => {
    const scale = objectOf('autoscaling/v1', 'Scale', {
      metadata: { name: 'd' },
      spec: { replicas: 3 },
      status: { replicas: 2 },
    });
    expect(printerFor('autoscaling', 'Scale').cells(scale, printedAt)).toEqual(['d', 3, 2, '90m']);
  });

  it.each([
    { status: { conditions: [{ type: 'Approved' }], certificate: 'eA==' }, condition: 'Approved,Issued' },
    { status: { conditions: [{ type: 'Approved' }, { type: 'Failed' }] }, condition: 'Approved,Failed' },
    { status: { conditions: [{ type: 'Approved' }, { type: 'Denied' }] }, condition: 'Denied' },
    { status: undefined, condition: 'Pending' },
  ])('of a signing request say $condition', ({ status, condition }) => {
    const spec = { signerName: 'x.io/s', username: 'admin', expirationSeconds: 3600 };
    const request = objectOf('certificates.k8s.io/v1', 'CertificateSigningRequest', {
      metadata: { name: 'c' },
      spec,
      status,
    });
    const cells = printerFor('certificates.k8s.io', 'CertificateSigningRequest').cells(request, printedAt);
    expect(cells).toEqual(['c', '90m', 'x.io/s', 'admin', '60m', condition]);
  });
});

describe('columns', () => {
  it('of pods are in the real order, the last four for wide output', () => {
    const shown = tableColumns({ group: '', kind: 'Pod' }).map(({ name, type, format, priority }) => [
      name,
      type,
      format,
      priority,
    ]);
    expect(shown).toEqual([
      ['Name', 'string', 'name', 0],
      ['Ready', 'string', '', 0],
      ['Status', 'string', '', 0],
      ['Restarts', 'string', '', 0],
      ['Age', 'string', '', 0],
      ['IP', 'string', '', 1],
      ['Node', 'string', '', 1],
      ['Nominated Node', 'string', '', 1],
      ['Readiness Gates', 'string', '', 1],
    ]);
  });

  it('all carry a description', () => {
    for (const { group, kind } of builtinResources) {
      const bare = tableColumns({ group, kind }).filter(({ description }) => description === '');
      expect([kind, bare]).toEqual([kind, []]);
    }
  });

  it.each(['Role', 'ClusterRole', 'LimitRange', 'CustomResourceDefinition', 'CSIStorageCapacity'])(
    'of a %s are the default ones',
    (kind) => {
      const resource = builtinResources.find((entry) => entry.kind === kind);
      expect(resource).toBeDefined();
      expect(resource && tableColumns(resource)).toBe(defaultPrinter.columns);
      expect(defaultPrinter.columns.map(({ name, type }) => [name, type])).toEqual([
        ['Name', 'string'],
        ['Created At', 'date'],
      ]);
    },
  );
});

describe('a table', () => {
  it('of a list keeps its version and its continuation', () => {
    const list = {
      metadata: { resourceVersion: '12', continue: 'abc', remainingItemCount: 4 },
      items: [namespaceNamed('a')],
    };
    const table = toTable(list, namespace, { now: printedAt, includeObject: 'None' });
    expect(table).toEqual({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '12', continue: 'abc', remainingItemCount: 4 },
      columnDefinitions: tableColumns(namespace),
      rows: [{ cells: ['a', 'Active', '90m'], object: null }],
    });
    expect(Object.keys(table)).toEqual(['kind', 'apiVersion', 'metadata', 'columnDefinitions', 'rows']);
  });

  it('of one object carries the version of that object', () => {
    expect(objectToTable(namespaceNamed('a'), namespace, { now: printedAt }).metadata).toEqual({
      resourceVersion: '7',
    });
  });

  it.each<{ options: Partial<TableOptions>; object: (value: KubeObject) => unknown }>([
    {
      options: {},
      object: ({ metadata }) => ({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }),
    },
    {
      options: { version: 'v1beta1' },
      object: ({ metadata }) => ({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1beta1', metadata }),
    },
    { options: { includeObject: 'Object' }, object: (value) => value },
    { options: { includeObject: 'None' }, object: () => null },
  ])('includes of each object what $options asks for', ({ options, object }) => {
    const value = namespaceNamed('a');
    const table = objectToTable(value, namespace, { now: printedAt, ...options });
    expect(table.rows?.[0]?.object).toEqual(object(value));
    expect(table.apiVersion).toBe(`meta.k8s.io/${options.version ?? 'v1'}`);
  });

  it('keeps the metadata of the bookmark that ends the initial events, even when no objects are wanted', () => {
    const bookmark: KubeObject = {
      ...namespaceNamed(''),
      metadata: { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } },
    };
    const table = objectToTable(bookmark, namespace, { now: printedAt, includeObject: 'None' });
    expect(table.rows?.[0]?.object).toEqual(toPartialMetadata(bookmark));
  });

  it('leaves its columns away when asked to, except for API services', () => {
    const options = { now: printedAt, noHeaders: true };
    expect(objectToTable(namespaceNamed('a'), namespace, options).columnDefinitions).toBeNull();
    const services = { group: 'apiregistration.k8s.io', kind: 'APIService' };
    expect(toTable({ metadata: {}, items: [] }, services, options).columnDefinitions).toBe(tableColumns(services));
  });

  it('without rows is null for kinds of the default printer and an empty list for all others', () => {
    const list = { metadata: { resourceVersion: '1' }, items: [] };
    expect(toTable(list, namespace, { now: printedAt }).rows).toEqual([]);
    expect(toTable(list, { group: '', kind: 'LimitRange' }, { now: printedAt }).rows).toBeNull();
  });

  it.each([
    { phase: 'Succeeded', message: 'The pod has completed successfully.' },
    { phase: 'Failed', message: 'The pod failed.' },
  ])('remarks that a pod is $phase', ({ phase, message }) => {
    const pod = objectOf('v1', 'Pod', { metadata: { name: 'p' }, status: { phase } });
    const [row] = objectToTable(pod, { group: '', kind: 'Pod' }, { now: printedAt }).rows ?? [];
    expect(row?.conditions).toEqual([{ type: 'Completed', status: 'True', reason: phase, message }]);
    expect(Object.keys(row ?? {})).toEqual(['cells', 'conditions', 'object']);
  });

  it('remarks nothing on a running pod', () => {
    const pod = objectOf('v1', 'Pod', { metadata: { name: 'p' }, status: { phase: 'Running' } });
    expect(objectToTable(pod, { group: '', kind: 'Pod' }, { now: printedAt }).rows?.[0]).not.toHaveProperty(
      'conditions',
    );
  });
});

describe('partial metadata', () => {
  it('shares the metadata of its object', () => {
    const object = namespaceNamed('a');
    expect(toPartialMetadata(object).metadata).toBe(object.metadata);
  });

  it('of a list is a list of the same version', () => {
    const list = { metadata: { resourceVersion: '12', continue: 'c' }, items: [namespaceNamed('a')] };
    expect(toPartialMetadataList(list, 'v1beta1')).toEqual({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1beta1',
      metadata: { resourceVersion: '12', continue: 'c' },
      items: [
        { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1beta1', metadata: namespaceNamed('a').metadata },
      ],
    });
  });
});
