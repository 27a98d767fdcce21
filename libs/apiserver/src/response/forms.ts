import { deepFreeze } from '@capstan/meta';
import type { KubeObject, ObjectMeta, PayloadBody } from '@capstan/meta';
import { viewedAll } from '../registry/conversion.js';
import type { Flow } from '../registry/effects.js';
import { typedMeta } from '../registry/metadata.js';
import type { ServedResource } from '../registry/served-resource.js';
import type { Stored } from '../store/index.js';
import {
  objectToTable,
  toPartialMetadata,
  toTable,
  type IncludeObject,
  type MetaVersion,
  type Negotiated,
} from '../table/index.js';
import { JSON_TEXT, PROTOBUF, type Encoding } from './encoding.js';
import { EncodedPayload } from './payload.js';
import { encodeProtobufAs, encodeProtobufList } from './protobuf-forms.js';

/** The kind a form shows. */
export interface ShownKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly listKind: string;
}

/** How stored objects look to one request: its version, and whether it wants objects, metadata or table rows, and in what encoding. */
export interface ObjectForm {
  /** Requests of equal keys and encodings get equal bytes, so these may be shared. Empty: as stored. Undefined: never shared. */
  readonly key: string | undefined;
  readonly encoding: Encoding;
  readonly shownAs: ShownKind;
  readonly served: ServedResource;
  /** The object cannot be shown this way, which a real server finds out when it has an answer to show. */
  readonly refusal?: Error | undefined;
  /** The object in the version asked for. */
  object(stored: Stored): KubeObject;
  /** The object itself, its metadata, or a table of one row. */
  show(object: KubeObject, isFirst: boolean): unknown;
  /** What is shown of a stored object where that can be had without the whole of it, else undefined. */
  readonly glance?: ((stored: Stored) => unknown) | undefined;
}

/** How a client wants to see objects. */
export interface WantedForm {
  readonly form: ObjectForm;
  readonly accepted: Negotiated;
  readonly include: IncludeObject;
}

const encoder = new TextEncoder();

function versioned(served: ServedResource): (stored: Stored) => KubeObject {
  const { conversion, apiVersion } = served;
  if (conversion === undefined) return (stored) => stored.object();
  const { key = apiVersion } = conversion;
  return (stored) =>
    conversion.isStored?.(stored) === true
      ? stored.object()
      : stored.memo(key, () => conversion.fromStorage(stored.object()));
}

function shownKind(served: ServedResource, accepted: Negotiated): ShownKind {
  if (accepted.as === undefined) {
    const { kind, listKind = `${kind}List` } = served.definition;
    return { apiVersion: served.apiVersion, kind, listKind };
  }
  const apiVersion = `meta.k8s.io/${accepted.version}`;
  if (accepted.as === 'Table') return { apiVersion, kind: 'Table', listKind: 'Table' };
  return { apiVersion, kind: 'PartialObjectMetadata', listKind: 'PartialObjectMetadataList' };
}

/** Forms that hold nothing of their request. Negotiation gives one object for equal headers, so that most are found. */
const forms = new WeakMap<ServedResource, WeakMap<Negotiated, ObjectForm>>();

/** The form a negotiated Accept header asks for. */
export function formFor(
  served: ServedResource,
  accepted: Negotiated,
  include: IncludeObject,
  now: () => number,
): ObjectForm {
  if (accepted.as === 'Table') return makeForm(served, accepted, include, now);
  let known = forms.get(served);
  if (known === undefined) forms.set(served, (known = new WeakMap()));
  let form = known.get(accepted);
  if (form === undefined) known.set(accepted, (form = makeForm(served, accepted, include, now)));
  return form;
}

const asIs = (each: KubeObject): unknown => each;

/** All forms have the same fields, so that whoever reads them knows where to look. */
function makeForm(served: ServedResource, accepted: Negotiated, include: IncludeObject, now: () => number): ObjectForm {
  const object = versioned(served);
  const key = served.conversion === undefined ? '' : (served.conversion.key ?? served.apiVersion);
  const version = accepted.version as MetaVersion;
  const encoding = accepted.mediaType === PROTOBUF.mediaType ? PROTOBUF : JSON_TEXT;
  const shownAs = shownKind(served, accepted);
  const base = { key, encoding, shownAs, served, refusal: undefined, object, show: asIs, glance: undefined };
  if (accepted.as === undefined) return base;
  if (accepted.as !== 'Table') {
    const show = (each: KubeObject): unknown => metadataOf(served, each, version);
    const { conversion } = served;
    const glance = (stored: Stored): unknown =>
      conversion === undefined || conversion.isStored?.(stored) === true
        ? metadataOf(served, { metadata: stored.metadata() }, version)
        : undefined;
    return { ...base, key: `${key}|metadata/${version}`, show, glance };
  }
  const own = (metadata: ObjectMeta): ObjectMeta => ownMetadata(served, metadata);
  const show = (each: KubeObject, isFirst: boolean): unknown => {
    const options = { now: now(), includeObject: include, noHeaders: !isFirst, version, ownMetadata: own };
    const table = served.printer === undefined ? options : { ...options, printer: served.printer };
    return objectToTable(each, served.groupKind, table);
  };
  return { ...base, key: undefined, show, glance: undefined };
}

/** Custom resources are maps with sorted keys, but alone their metadata is typed like that of all others. */
function metadataOf(served: ServedResource, { metadata }: Pick<KubeObject, 'metadata'>, version: MetaVersion): unknown {
  const shown = served.custom === undefined ? ownMetadata(served, metadata) : typedMeta(metadata);
  return toPartialMetadata({ metadata: shown }, version);
}

/** Metadata without annotations that are but another way to write fields. */
function ownMetadata({ strategy }: ServedResource, metadata: ObjectMeta): ObjectMeta {
  const { standInAnnotations = [] } = strategy;
  const { annotations = {}, ...rest } = metadata;
  if (!standInAnnotations.some((key) => Object.hasOwn(annotations, key))) return metadata;
  const own = Object.entries(annotations).filter(([key]) => !standInAnnotations.includes(key));
  // Those that stay keep their place.
  return own.length === 0 ? rest : { ...metadata, annotations: Object.fromEntries(own) };
}

function shownOf(form: ObjectForm, stored: Stored): unknown {
  return form.glance?.(stored) ?? form.show(form.object(stored), true);
}

/** Most custom resources look as they are stored: their bytes need no making. */
function isAsStored({ key, served: { conversion } }: ObjectForm, stored: Stored): boolean {
  return conversion?.isStored !== undefined && key === conversion.key && conversion.isStored(stored);
}

/**
 * The form for these items. Where a webhook converts them it is asked now, and what it says is for this answer alone:
 * next time it may say otherwise.
 */
export function* convertAhead(form: ObjectForm, items: readonly Stored[]): Flow<ObjectForm> {
  if (form.served.conversion?.remote === undefined) return form;
  const views = yield* viewedAll(
    form.served,
    items.map((stored) => stored.object()),
  );
  return formOfViews(form, new Map(items.map((stored, at) => [stored, views[at] as KubeObject])));
}

/** A form that shows objects converted already, and no others. */
export function formOfViews(form: ObjectForm, views: ReadonlyMap<Stored, KubeObject>): ObjectForm {
  return {
    ...form,
    key: undefined,
    object: (stored) => views.get(stored) ?? form.object(stored),
    glance: undefined,
  };
}

/** The encoded form of one stored object; shared by all requests that see it the same way. */
export function encodeAs(form: ObjectForm, stored: Stored): Uint8Array {
  if (form.encoding === PROTOBUF) return encodeProtobufAs(form, stored);
  if (form.key === '' || isAsStored(form, stored)) return stored.bytes();
  const encode = (): Uint8Array => form.encoding.body(shownOf(form, stored));
  return form.key === undefined ? encode() : stored.memo(`bytes:${form.key}`, encode);
}

/** The value of one stored object, frozen. */
export function valueAs(form: ObjectForm, stored: Stored): unknown {
  if (form.key === '') return stored.frozen();
  return deepFreeze(shownOf(form, stored));
}

export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** A list body as a value. */
function listValue(
  { form, accepted, include }: WantedForm,
  items: readonly Stored[],
  metadata: ListMeta,
  now: number,
): unknown {
  const { served } = form;
  const version = accepted.version as MetaVersion;
  if (accepted.as !== undefined && accepted.as !== 'Table') {
    // Not an empty list: the real server never makes one here.
    const shown = items.length === 0 ? null : items.map((stored) => shownOf(form, stored));
    return { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata, items: shown };
  }
  const objects = items.map((stored) => form.object(stored));
  if (accepted.as === 'Table') {
    const own = (metadata: ObjectMeta): ObjectMeta => ownMetadata(served, metadata);
    const options = { now, includeObject: include, version, ownMetadata: own };
    return toTable(
      { metadata, items: objects },
      served.groupKind,
      served.printer === undefined ? options : { ...options, printer: served.printer },
    );
  }
  if (served.custom !== undefined) {
    const { apiVersion, listKind: kind } = form.shownAs;
    return { apiVersion, items: objects, kind, metadata: customListMeta(metadata) };
  }
  return {
    kind: served.definition.listKind ?? `${served.definition.kind}List`,
    apiVersion: served.apiVersion,
    metadata,
    items: served.bareItems ? objects.map(bare) : objects,
  };
}

/** Lists of custom resources are maps to the real server: keys sorted, and a token even where there is nothing to continue. */
function customListMeta({ resourceVersion, continue: token = '', remainingItemCount }: ListMeta): object {
  return { continue: token, ...(remainingItemCount === undefined ? {} : { remainingItemCount }), resourceVersion };
}

function bare(object: KubeObject): object {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return rest;
}

/** What stands around the items of a list. */
function listFrame({ served, shownAs }: ObjectForm, metadata: ListMeta): readonly [before: string, after: string] {
  const kind = JSON.stringify(shownAs.listKind);
  const version = JSON.stringify(shownAs.apiVersion);
  if (served.custom !== undefined)
    return [
      `{"apiVersion":${version},"items":[`,
      `],"kind":${kind},"metadata":${JSON.stringify(customListMeta(metadata))}}`,
    ];
  return [`{"kind":${kind},"apiVersion":${version},"metadata":${JSON.stringify(metadata)},"items":[`, ']}'];
}

const COMMA = 0x2c;
const OPEN = 0x7b;

/** The body of a list. */
export function listBody(wanted: WantedForm, items: readonly Stored[], metadata: ListMeta, now: number): PayloadBody {
  const { form, accepted } = wanted;
  const value = (): unknown => listValue(wanted, items, metadata, now);
  const bytes = (): Uint8Array => {
    if (form.encoding === PROTOBUF) return encodeProtobufList(form, items, metadata);
    return accepted.as === undefined ? encodeList(form, items, metadata) : form.encoding.body(value());
  };
  return new EncodedPayload(bytes, value);
}

/**
 * A list of objects as JSON, put together from the encoded form each object already has. Items of built-in kinds lose
 * the kind and apiVersion their encoding begins with.
 */
function encodeList(form: ObjectForm, items: readonly Stored[], metadata: ListMeta): Uint8Array {
  const { served } = form;
  const [before, after] = listFrame(form, metadata);
  const head = encoder.encode(before);
  const tail = encoder.encode(after);
  // The encoded object begins with exactly this, then comes the next key.
  const skip = served.bareItems
    ? `{"kind":${JSON.stringify(served.definition.kind)},"apiVersion":${JSON.stringify(served.apiVersion)},`.length
    : 1;
  const parts = new Array<Uint8Array>(items.length);
  let size = head.length + tail.length;
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
  out.set(tail, offset);
  return out;
}
