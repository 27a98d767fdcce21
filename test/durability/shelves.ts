import type { Random } from '@capstan/meta';
import type { Version } from './ledger.js';

/** An object of any of the shelves, as far as they look at it. */
export interface Stored {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly data?: Texts;
  readonly spec?: Texts & { readonly holderIdentity?: string };
  readonly status?: Texts;
}

/** A text written twice, so that half a write is seen. */
interface Texts {
  readonly content?: string;
  readonly copy?: string;
}

/** A write and what it leads to. */
export interface Write {
  readonly method: string;
  /** After the path of the shelf. */
  readonly at: string;
  readonly body?: unknown;
  /** The content the object has afterwards; null when it is deleted. */
  readonly content: string | null;
}

/** Objects of one kind, and what is done to them. */
export interface Shelf {
  /** What the names of its objects begin with. */
  readonly prefix: string;
  readonly path: string;
  /** All that is looked at of an object in one text; undefined when its parts do not fit together. */
  read(object: Stored): string | undefined;
  /** The next thing to do to an object. */
  next(name: string, known: Version | undefined, text: string, random: Random): Write;
}

const twice = (content: string): Texts => ({ content, copy: content });
const once = (texts: Texts | undefined): string | undefined =>
  texts?.content === texts?.copy ? (texts?.content ?? '') : undefined;
/** One write in so many deletes. */
const DELETES = 4;

const configMaps: Shelf = {
  prefix: 'map',
  path: '/api/v1/namespaces/default/configmaps',
  read: ({ data }) => once(data),
  next(name, known, text, random) {
    const body = { metadata: { name }, data: twice(text) };
    if (known === undefined) return { method: 'POST', at: '', body, content: text };
    if (random.below(DELETES) === 0) return { method: 'DELETE', at: `/${name}`, content: null };
    return { method: 'PUT', at: `/${name}`, body, content: text };
  },
};

const HOLD = 'capstan.test/hold';
const DELETING = 'deleting ';

/** They stay when they are deleted, until their finalizers are removed. */
const heldMaps: Shelf = {
  prefix: 'held',
  path: configMaps.path,
  read({ data, metadata }) {
    const text = once(data);
    return text !== undefined && metadata.deletionTimestamp !== undefined ? DELETING + text : text;
  },
  next(name, known, text, random) {
    const metadata = { name, finalizers: [HOLD] };
    if (known === undefined) return { method: 'POST', at: '', body: { metadata, data: twice(text) }, content: text };
    const at = `/${name}`;
    if (known.content.startsWith(DELETING))
      return { method: 'PATCH', at, body: { metadata: { finalizers: null } }, content: null };
    if (random.below(DELETES) === 0) return { method: 'DELETE', at, content: DELETING + known.content };
    return { method: 'PATCH', at, body: { data: twice(text) }, content: text };
  },
};

export const GROUP = 'durability.capstan.test';
const BETWEEN = '|';

/** Spec and status are written apart, and one does not touch the other. */
const customResources: Shelf = {
  prefix: 'wheel',
  path: `/apis/${GROUP}/v1/namespaces/default/wheels`,
  read({ spec, status }) {
    const [wanted, found] = [once(spec), once(status)];
    return wanted === undefined || found === undefined ? undefined : wanted + BETWEEN + found;
  },
  next(name, known, text, random) {
    const [spec = '', status = ''] = (known?.content ?? '').split(BETWEEN);
    if (known === undefined) {
      const body = { apiVersion: `${GROUP}/v1`, kind: 'Wheel', metadata: { name }, spec: twice(text) };
      return { method: 'POST', at: '', body, content: text + BETWEEN };
    }
    const at = `/${name}`;
    if (random.below(DELETES) === 0) return { method: 'DELETE', at, content: null };
    if (random.below(2) === 0)
      return { method: 'PATCH', at, body: { spec: twice(text), status: null }, content: text + BETWEEN + status };
    const body = { status: twice(text), spec: null };
    return { method: 'PATCH', at: `${at}/status`, body, content: spec + BETWEEN + text };
  },
};

/** Renewed by the client that knows the last version. */
const leases: Shelf = {
  prefix: 'lease',
  path: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
  read: ({ metadata, spec }) =>
    spec?.holderIdentity === metadata.annotations?.['copy'] ? (spec?.holderIdentity ?? '') : undefined,
  next(name, known, text, random) {
    if (known !== undefined && random.below(DELETES * 2) === 0)
      return { method: 'DELETE', at: `/${name}`, content: null };
    const resourceVersion = known === undefined ? undefined : String(known.revision);
    const metadata = { name, resourceVersion, annotations: { copy: text } };
    const body = { metadata, spec: { holderIdentity: text, leaseDurationSeconds: 15 } };
    // A lease may be made by PUT.
    return { method: 'PUT', at: `/${name}`, body, content: text };
  },
};

export const SHELVES: readonly Shelf[] = [configMaps, heldMaps, customResources, leases];

const texts = { type: 'object', properties: { content: { type: 'string' }, copy: { type: 'string' } } };

/** What the custom resources are. */
export const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `wheels.${GROUP}` },
  spec: {
    group: GROUP,
    names: { plural: 'wheels', kind: 'Wheel' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: texts, status: texts } } },
      },
    ],
  },
};
