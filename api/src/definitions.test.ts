import { readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { kinds as apiextensions } from './apiextensions/index.js';
import { kinds as clusterApi } from './cluster-api/index.js';
import { kinds as config } from './config/index.js';
import { kinds as hypershift } from './hypershift/index.js';
import { kinds as hypershiftInfrastructure } from './hypershift-infrastructure/index.js';
import { kinds as agent } from './infrastructure/agent/index.js';
import { kinds as aws } from './infrastructure/aws/index.js';
import { kinds as azure } from './infrastructure/azure/index.js';
import { kinds as gcp } from './infrastructure/gcp/index.js';
import { kinds as kubevirt } from './infrastructure/kubevirt/index.js';
import { kinds as metal3 } from './infrastructure/metal3/index.js';
import { kinds as nutanix } from './infrastructure/nutanix/index.js';
import { kinds as openstack } from './infrastructure/openstack/index.js';
import { kinds as openstackResources } from './infrastructure/openstack-resources/index.js';
import { kinds as powervs } from './infrastructure/powervs/index.js';
import { kinds as vsphere } from './infrastructure/vsphere/index.js';
import { kinds as machine } from './machine/index.js';
import { Place } from './model/index.js';
import type { Kind, Schema } from './model/index.js';
import { kinds as operator } from './operator/index.js';

const groups: Readonly<Record<string, readonly Kind[]>> = {
  apiextensions,
  'cluster-api': clusterApi,
  config,
  hypershift,
  'hypershift-infrastructure': hypershiftInfrastructure,
  'infrastructure/agent': agent,
  'infrastructure/aws': aws,
  'infrastructure/azure': azure,
  'infrastructure/gcp': gcp,
  'infrastructure/kubevirt': kubevirt,
  'infrastructure/metal3': metal3,
  'infrastructure/nutanix': nutanix,
  'infrastructure/openstack': openstack,
  'infrastructure/openstack-resources': openstackResources,
  'infrastructure/powervs': powervs,
  'infrastructure/vsphere': vsphere,
  machine,
  operator,
};

/** Folders where nothing is left unsaid, down to the last field. */
const complete = new Set(['apiextensions', 'cluster-api', 'config', 'machine', 'operator']);

/** Down to which depth the fields of the others have a description; by default, what is directly in spec and status. */
const depths: Readonly<Record<string, number>> = { hypershift: 3, 'hypershift-infrastructure': 3 };

/** A node of a kind, and the keys its meaning is looked for under: the way from every name around it. */
interface Node {
  readonly place: Place;
  readonly keys: readonly string[];
  readonly path: readonly string[];
}

/** Every node of a kind, in every version; what lists and maps hold has the keys of its shape alone. */
function nodesOf(kind: Kind): Node[] {
  const nodes: Node[] = [];
  const below = (schema: Schema, at: Node): void => {
    const keys = schema.name === undefined ? at.keys : [...at.keys, schema.name];
    const node = { ...at, keys, place: at.place.within(schema) };
    nodes.push(node);
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      const path = [...at.path, key];
      below(property, {
        place: node.place.property(key),
        keys: [...keys.map((each) => `${each}.${key}`), `*.${key}`],
        path,
      });
    }
    const inner = schema.items ?? schema.values;
    if (inner !== undefined) below(inner, { ...node, place: node.place.element() });
  };
  for (const { name, schema } of kind.versions) {
    below(schema, { place: Place.root(kind, name), keys: [`${kind.kind}@${name}`, kind.kind], path: [] });
  }
  return nodes;
}

/** The files of a folder under `api/src`, by their path in it. */
function sources(folder: string): string[] {
  const root = fileURLToPath(new URL(folder, import.meta.url));
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => posix.join(folder, file.replaceAll('\\', '/')));
}

describe.each(Object.entries(groups))('the definitions of %s', (folder, kinds) => {
  it.each(kinds.map((kind) => [kind.kind, kind] as const))('say what %s and its fields mean', (_, kind) => {
    const depth = depths[folder] ?? 2;
    const described = nodesOf(kind).filter(
      ({ path }) => complete.has(folder) || (path[0] !== 'metadata' && path.length <= depth),
    );
    const spoken = new Set(
      described.filter(({ place }) => place.meaning() !== undefined).map(({ path }) => path.join('.')),
    );
    expect(described.map(({ path }) => path.join('.')).filter((path) => !spoken.has(path))).toEqual([]);
  });

  it('say nothing about what is not there', () => {
    const known = new Set(kinds.flatMap(nodesOf).flatMap(({ keys }) => keys));
    const keys = kinds.flatMap((kind) => Object.keys(kind.meanings ?? {}));
    expect([...new Set(keys)].filter((key) => !known.has(key))).toEqual([]);
  });

  it('say it in whole sentences', () => {
    const texts = kinds.flatMap((kind) => Object.values(kind.meanings ?? {}));
    expect([...new Set(texts)].filter((text) => !/^[A-Z0-9`].*\.$/.test(text) || text.length > 160)).toEqual([]);
  });

  it('store exactly one version of each kind', () => {
    const wrong = kinds.filter((kind) => kind.versions.filter((each) => each.storage === true).length !== 1);
    expect(wrong.map((kind) => kind.kind)).toEqual([]);
  });

  it('load no other group', () => {
    const wrong = sources(folder).flatMap((file) => {
      const text = readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8');
      return [...text.matchAll(/from '([^']+)'/g)]
        .map((match) => posix.join(posix.dirname(file), match[1] ?? ''))
        .filter((path) => !path.startsWith(`${folder}/`) && path !== 'model/index.js')
        .map((path) => `${file} loads ${path}`);
    });
    expect(wrong).toEqual([]);
  });
});
