import type { KubeObject, ObjectMeta, PayloadBody } from '@capstan/meta';
import { indentJson, stringifyJson } from '@capstan/meta';
import { compareNaturally } from '../yaml/key-order.js';
import type { Stored } from '../store/index.js';
import { printerFor, tableRow, toTable, type MetaVersion, type TableOptions } from '../table/index.js';
import { PROTOBUF } from './encoding.js';
import { encodeAs, ownMetadata, shownOf, type ObjectForm, type WantedForm } from './forms.js';
import { encodeJson } from './payload.js';
import { NO_BYTES, PiecedPayload } from './pieces.js';
import { protobufListParts } from './protobuf-forms.js';

export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** A list apart from what is in it: its keys in the order of the wire, before and after the items. */
interface ListFrame {
  readonly before: object;
  readonly key: 'items' | 'rows';
  /** What stands for no items at all. */
  readonly empty: readonly unknown[] | null;
  readonly after: object;
  /** One item as a value. */
  readonly item: (stored: Stored) => unknown;
}

/** Everything a list is encoded from. All of it is frozen, so that it may be sent while others write. */
interface ListSource {
  readonly wanted: WantedForm;
  readonly items: readonly Stored[];
  readonly metadata: ListMeta;
  readonly now: number;
  /** What the items take that were converted for this answer. */
  readonly ownBytes?: number;
}

type WriteYaml = (value: unknown) => string;

const encoder = new TextEncoder();
const EMPTY: readonly unknown[] = [];

/** The body of a list, put together from the encoded form each object already has, while it is sent. */
export class ListPayload extends PiecedPayload {
  readonly #items: readonly Stored[];
  readonly #frame: ListFrame;

  constructor(source: ListSource) {
    const frame = frameOf(source);
    const { items } = source;
    super(
      () => partsOf(source, frame),
      () => ({ ...frame.before, [frame.key]: itemsOf(frame, items), ...frame.after }),
      source.ownBytes,
    );
    this.#items = items;
    this.#frame = frame;
  }

  /** The same, indented for people. */
  pretty(): PayloadBody {
    return new PiecedPayload(
      () => prettyParts(this.#frame, this.#items),
      () => this.value(),
      this.ownBytes,
    );
  }

  /** The same as YAML, by the given writer. */
  yaml(write: WriteYaml): PayloadBody {
    return new PiecedPayload(
      () => yamlParts(this.#frame, this.#items, write),
      () => this.value(),
      this.ownBytes,
    );
  }
}

function itemsOf({ item, empty }: ListFrame, items: readonly Stored[]): readonly unknown[] | null {
  return items.length === 0 ? empty : items.map(item);
}

function frameOf(source: ListSource): ListFrame {
  const { wanted, metadata } = source;
  const { form, accepted } = wanted;
  const { served } = form;
  const key = 'items';
  if (accepted.as === 'Table') return tableFrame(source);
  if (accepted.as !== undefined) {
    const before = { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${accepted.version}`, metadata };
    // Not an empty list: the real server never makes one here.
    return { before, key, empty: null, after: {}, item: (stored) => shownOf(form, stored) };
  }
  const { apiVersion, listKind: kind } = form.shownAs;
  const object = (stored: Stored): KubeObject => form.object(stored);
  if (served.custom !== undefined)
    return {
      before: { apiVersion },
      key,
      empty: EMPTY,
      after: { kind, metadata: customListMeta(metadata) },
      item: object,
    };
  const item = served.bareItems ? (stored: Stored): object => bare(object(stored)) : object;
  return { before: { kind, apiVersion, metadata }, key, empty: EMPTY, after: {}, item };
}

function tableFrame({ wanted: { form, accepted, include }, metadata, now }: ListSource): ListFrame {
  const { served } = form;
  const { groupKind, printer = printerFor(groupKind.group, groupKind.kind) } = served;
  const own = (given: ObjectMeta): ObjectMeta => ownMetadata(served, given);
  const version = accepted.version as MetaVersion;
  const options: TableOptions = { now, includeObject: include, version, ownMetadata: own, printer };
  const { rows, ...before } = toTable({ metadata, items: [] }, groupKind, options);
  const item = (stored: Stored): unknown => tableRow(form.object(stored), printer, options);
  return { before, key: 'rows', empty: rows, after: {}, item };
}

/** Lists of custom resources are maps to the real server: keys sorted, and a token even where there is nothing to continue. */
function customListMeta({ resourceVersion, continue: token = '', remainingItemCount }: ListMeta): object {
  return { continue: token, ...(remainingItemCount === undefined ? {} : { remainingItemCount }), resourceVersion };
}

function bare(object: KubeObject): object {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return rest;
}

function partsOf({ wanted: { form, accepted }, items, metadata }: ListSource, frame: ListFrame): Iterable<Uint8Array> {
  if (form.encoding === PROTOBUF) return protobufListParts(form, items, metadata);
  return jsonParts(frame, items, accepted.as === undefined ? form : undefined);
}

/** A list as JSON. With a form its items are put in as they are encoded already. */
function* jsonParts(frame: ListFrame, items: readonly Stored[], form: ObjectForm | undefined): Iterable<Uint8Array> {
  const { before, key, empty, after, item } = frame;
  const open = `${stringifyJson(before).slice(0, -1)},${JSON.stringify(key)}:`;
  const rest = stringifyJson(after);
  const close = rest === '{}' ? '}' : `,${rest.slice(1)}`;
  if (items.length === 0) return yield encoder.encode(`${open}${stringifyJson(empty)}${close}`);
  yield encoder.encode(`${open}[`);
  yield* form === undefined ? valueParts(items, item) : encodedParts(items, form);
  yield encoder.encode(`]${close}`);
}

const COMMA = encoder.encode(',');

function* valueParts(items: readonly Stored[], item: ListFrame['item']): Iterable<Uint8Array> {
  for (const [at, stored] of items.entries()) {
    if (at > 0) yield COMMA;
    yield encodeJson(item(stored));
  }
}

const FIRST_OBJECT = encoder.encode('{');
const NEXT_OBJECT = encoder.encode(',{');

/** Items of built-in kinds lose the kind and apiVersion their encoding begins with. */
function* encodedParts(items: readonly Stored[], form: ObjectForm): Iterable<Uint8Array> {
  const { bareItems, definition, apiVersion } = form.served;
  // The encoded object begins with exactly this, then comes the next key.
  const skip = bareItems
    ? `{"kind":${JSON.stringify(definition.kind)},"apiVersion":${JSON.stringify(apiVersion)},`.length
    : 1;
  for (const [at, stored] of items.entries()) {
    yield at === 0 ? FIRST_OBJECT : NEXT_OBJECT;
    yield encodeAs(form, stored).subarray(skip);
  }
}

/** Indented by two; what is in the list is two levels deep. */
function* prettyParts({ before, key, empty, after, item }: ListFrame, items: readonly Stored[]): Iterable<Uint8Array> {
  const open = `${indented(before).slice(0, -2)},\n  ${JSON.stringify(key)}: `;
  const rest = indented(after);
  const close = rest === '{}' ? '\n}' : `,${rest.slice(1)}`;
  if (items.length === 0) return yield encoder.encode(`${open}${stringifyJson(empty)}${close}`);
  yield encoder.encode(`${open}[`);
  for (const [at, stored] of items.entries()) {
    // No text in JSON has a line break of its own.
    const lines = indented(item(stored)).replaceAll('\n', '\n    ');
    yield encoder.encode(`${at === 0 ? '' : ','}\n    ${lines}`);
  }
  yield encoder.encode(`\n  ]${close}`);
}

function indented(value: unknown): string {
  return indentJson(stringifyJson(value));
}

/** As the value of a key, the items of a list are no deeper than it: each is written as a list of its own. */
function* yamlParts(frame: ListFrame, items: readonly Stored[], write: WriteYaml): Iterable<Uint8Array> {
  const { before, key, after, item } = frame;
  const values: Readonly<Record<string, unknown>> = { ...before, ...after };
  const some = (isWanted: (name: string) => boolean): string => {
    const entries = Object.entries(values).filter(([name, value]) => value !== undefined && isWanted(name));
    return entries.length === 0 ? '' : write(Object.fromEntries(entries));
  };
  if (items.length === 0) return yield encoder.encode(write({ ...values, [key]: frame.empty }));
  yield encoder.encode(`${some((name) => compareNaturally(name, key) < 0)}${key}:\n`);
  for (const stored of items) {
    yield encoder.encode(write([item(stored)]));
    // A piece of it takes long to write.
    yield NO_BYTES;
  }
  yield encoder.encode(some((name) => compareNaturally(name, key) > 0));
}
