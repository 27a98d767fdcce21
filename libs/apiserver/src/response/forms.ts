import { deepFreeze } from '@capstan/meta';
import type { Clock, KubeObject, ObjectMeta } from '@capstan/meta';
import { viewedAll } from '../registry/conversion.js';
import { giveWay, type Flow } from '../registry/effects.js';
import { typedMeta } from '../registry/metadata.js';
import type { ServedResource } from '../registry/served-resource.js';
import type { Stored } from '../store/index.js';
import { objectToTable, toPartialMetadata, type IncludeObject, type MetaVersion } from '../table/index.js';
import { type Negotiated } from '../negotiation/negotiate.js';
import { JSON_TEXT, PROTOBUF, type Encoding } from './encoding.js';
import { encodeProtobufAs } from './protobuf-forms.js';

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

/** All forms have the same fields, so that their readers stay monomorphic. */
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
export function ownMetadata({ strategy }: ServedResource, metadata: ObjectMeta): ObjectMeta {
  const { standInAnnotations = [] } = strategy;
  const { annotations = {}, ...rest } = metadata;
  if (!standInAnnotations.some((key) => Object.hasOwn(annotations, key))) return metadata;
  const own = Object.entries(annotations).filter(([key]) => !standInAnnotations.includes(key));
  // Those that stay keep their place.
  return own.length === 0 ? rest : { ...metadata, annotations: Object.fromEntries(own) };
}

/** What is shown of one stored object. */
export function shownOf(form: ObjectForm, stored: Stored): unknown {
  return form.glance?.(stored) ?? form.show(form.object(stored), true);
}

/** Most custom resources look as they are stored: their bytes need no making. */
function isAsStored({ key, served: { conversion } }: ObjectForm, stored: Stored): boolean {
  return conversion?.isStored !== undefined && key === conversion.key && conversion.isStored(stored);
}

/**
 * The form for these items. Where a webhook converts them it is called now, and its answer is for this response alone:
 * next time it may differ.
 */
export function* convertAhead(
  form: ObjectForm,
  items: readonly Stored[],
  clock: Pick<Clock, 'turns'>,
): Flow<ObjectForm> {
  if (form.served.conversion?.remote === undefined) return form;
  const objects: KubeObject[] = [];
  for (const stored of items) {
    yield* giveWay(clock);
    objects.push(stored.object());
  }
  const views = yield* viewedAll(form.served, objects);
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
