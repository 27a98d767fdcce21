import { deepFreeze, stringifyJson } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { ServedResource } from '../registry/served-resource.js';
import type { Stored } from '../store/index.js';
import { objectToTable, toPartialMetadata, toTable, type IncludeObject, type MetaVersion, type Negotiated } from '../table/index.js';

/** How stored objects look to one request: its version, and whether it wants objects, metadata or table rows. */
export interface ObjectForm {
  /** Requests of equal keys get equal bytes, so these may be shared. Empty: as stored. Undefined: never shared. */
  readonly key: string | undefined;
  readonly served: ServedResource;
  /** The object in the version asked for. */
  object(stored: Stored): KubeObject;
  /** The object itself, its metadata, or a table of one row. */
  show(object: KubeObject, isFirst: boolean): unknown;
}

const encoder = new TextEncoder();

function versioned(served: ServedResource): (stored: Stored) => KubeObject {
  const { conversion, apiVersion } = served;
  if (conversion === undefined) return (stored) => stored.object();
  const { key = apiVersion } = conversion;
  return (stored) => (conversion.isStored?.(stored) === true ? stored.object() : stored.memo(key, () => conversion.fromStorage(stored.object())));
}

/** The form a negotiated Accept header asks for. */
export function formFor(served: ServedResource, accepted: Negotiated, include: IncludeObject, now: () => number): ObjectForm {
  const object = versioned(served);
  const base = served.conversion === undefined ? '' : (served.conversion.key ?? served.apiVersion);
  const version = accepted.version as MetaVersion;
  if (accepted.as === undefined) return { key: base, served, object, show: (each) => each };
  if (accepted.as !== 'Table') {
    return { key: `${base}|metadata/${version}`, served, object, show: (each) => toPartialMetadata(each, version) };
  }
  const show = (each: KubeObject, isFirst: boolean): unknown => {
    const options = { now: now(), includeObject: include, noHeaders: !isFirst, version };
    const table = served.printer === undefined ? options : { ...options, printer: served.printer };
    return objectToTable(each, served.groupKind, table);
  };
  return { key: undefined, served, object, show };
}

/** The encoded form of one stored object; shared by all requests that see it the same way. */
export function encodeAs(form: ObjectForm, stored: Stored): Uint8Array {
  if (form.key === '') return stored.bytes();
  const encode = (): Uint8Array => encoder.encode(stringifyJson(form.show(form.object(stored), true)));
  return form.key === undefined ? encode() : stored.memo(`bytes:${form.key}`, encode);
}

/** The value of one stored object, frozen. */
export function valueAs(form: ObjectForm, stored: Stored): unknown {
  if (form.key === '') return stored.frozen();
  const value = form.show(form.object(stored), true);
  return deepFreeze(value);
}

export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** A list body as a value. */
export function listValue(form: ObjectForm, accepted: Negotiated, items: readonly Stored[], metadata: ListMeta, tableOptions: { now: number; includeObject: IncludeObject }): unknown {
  const { served } = form;
  const version = accepted.version as MetaVersion;
  const objects = items.map((stored) => form.object(stored));
  if (accepted.as === 'Table') {
    const options = { ...tableOptions, version };
    return toTable({ metadata, items: objects }, served.groupKind, served.printer === undefined ? options : { ...options, printer: served.printer });
  }
  if (accepted.as !== undefined) {
    return {
      kind: 'PartialObjectMetadataList',
      apiVersion: `meta.k8s.io/${version}`,
      metadata,
      // Not an empty list: the real server never makes one here.
      items: objects.length === 0 ? null : objects.map((each) => toPartialMetadata(each, version)),
    };
  }
  return {
    kind: served.definition.listKind ?? `${served.definition.kind}List`,
    apiVersion: served.apiVersion,
    metadata,
    items: served.bareItems ? objects.map(bare) : objects,
  };
}

function bare(object: KubeObject): object {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return rest;
}

const COMMA = 0x2c;
const OPEN = 0x7b;

/**
 * A list of objects as bytes, put together from the encoded form each object already has. Items of built-in kinds lose
 * the kind and apiVersion their encoding begins with.
 */
export function encodeList(form: ObjectForm, items: readonly Stored[], metadata: ListMeta): Uint8Array {
  const { served } = form;
  const listKind = served.definition.listKind ?? `${served.definition.kind}List`;
  const head = encoder.encode(
    `{"kind":${JSON.stringify(listKind)},"apiVersion":${JSON.stringify(served.apiVersion)},"metadata":${JSON.stringify(metadata)},"items":[`,
  );
  // The encoded object begins with exactly this, then comes the next key.
  const skip = served.bareItems ? `{"kind":${JSON.stringify(served.definition.kind)},"apiVersion":${JSON.stringify(served.apiVersion)},`.length : 1;
  const parts = new Array<Uint8Array>(items.length);
  let size = head.length + 2;
  for (let at = 0; at < items.length; at += 1) {
    const bytes = encodeAs(form, items[at] as Stored);
    parts[at] = bytes;
    size += bytes.length - skip + 2;
  }
  if (items.length > 0) size -= 1;
  const out = Buffer.allocUnsafe(size);
  out.set(head, 0);
  let offset = head.length;
  for (let at = 0; at < parts.length; at += 1) {
    if (at > 0) out[offset++] = COMMA;
    const bytes = parts[at] as Uint8Array;
    out[offset++] = OPEN;
    out.set(skip < bytes.length ? bytes.subarray(skip) : bytes, offset);
    offset += bytes.length - skip;
  }
  out[offset++] = 0x5d;
  out[offset] = 0x7d;
  return out;
}
