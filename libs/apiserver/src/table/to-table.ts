import type { GroupKind, KubeObject, ObjectMeta } from '@capstan/meta';
import type { ColumnDefinition } from './columns.js';
import { printerFor } from './registry.js';
import type { Cell, RowCondition, TablePrinter } from './printer.js';

/** How much of each object goes into its row. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** The versions of meta.k8s.io that tables and metadata come in. */
export type MetaVersion = 'v1' | 'v1beta1';

/** A list as endpoints return it: items of built-in kinds carry neither apiVersion nor kind of their own. */
export interface ListValue {
  readonly metadata: ListMetaView;
  readonly items: readonly KubeObject[] | null;
}

interface ListMetaView {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** The metadata of an object, without the rest of it. */
export interface PartialObjectMetadata {
  readonly kind: 'PartialObjectMetadata';
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
}

/** One row. */
export interface TableRow {
  readonly cells: readonly Cell[];
  readonly conditions?: readonly RowCondition[];
  readonly object: KubeObject | PartialObjectMetadata | null;
}

/** A Table as it goes over the wire. */
export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: string;
  readonly metadata: ListMetaView;
  readonly columnDefinitions: readonly ColumnDefinition[] | null;
  readonly rows: readonly TableRow[] | null;
}

/** How to make a Table. */
export interface TableOptions {
  /** Milliseconds since the epoch, for ages. */
  readonly now: number;
  /** Defaults to `Metadata`. */
  readonly includeObject?: IncludeObject;
  /** Leaves the column definitions away: every watch event but the first. */
  readonly noHeaders?: boolean;
  readonly version?: MetaVersion;
  /** What of an object's metadata is shown alone; all of it unless given. */
  readonly ownMetadata?: (metadata: ObjectMeta) => ObjectMeta;
  /** For custom resources (`customPrinter`); found by group and kind otherwise. */
  readonly printer?: TablePrinter;
}

/** The one key that marks the bookmark closing a watch's initial events; clients look for it in every encoding. */
const initialEventsEnd = 'k8s.io/initial-events-end';

function withoutVersion({ resourceVersion: _version, ...metadata }: ObjectMeta): ObjectMeta {
  return metadata;
}

/** One object as `PartialObjectMetadata`; the metadata is shared, not copied. */
export function toPartialMetadata(
  object: Pick<KubeObject, 'metadata'>,
  version: MetaVersion = 'v1',
): PartialObjectMetadata {
  const { metadata } = object;
  // A place kept for the store is no version.
  const shown = metadata.resourceVersion === '' ? withoutVersion(metadata) : metadata;
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: shown };
}

/** A list as `PartialObjectMetadataList`. */
export function toPartialMetadataList(list: ListValue, version: MetaVersion = 'v1'): object {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: list.metadata,
    items: (list.items ?? []).map((item) => toPartialMetadata(item, version)),
  };
}

function rowObject(object: KubeObject, options: TableOptions): TableRow['object'] {
  const { includeObject = 'Metadata', version = 'v1', ownMetadata } = options;
  if (includeObject === 'Object') return object;
  const { metadata } = object;
  if (includeObject === 'None' && metadata.annotations?.[initialEventsEnd] !== 'true') return null;
  return toPartialMetadata({ metadata: ownMetadata?.(metadata) ?? metadata }, version);
}

/** One row of a Table. */
export function tableRow(object: KubeObject, printer: TablePrinter, options: TableOptions): TableRow {
  const cells = printer.cells(object, options.now);
  const shown = rowObject(object, options);
  const conditions = printer.conditions?.(object);
  return conditions === undefined ? { cells, object: shown } : { cells, conditions, object: shown };
}

function listMeta({ resourceVersion, continue: token, remainingItemCount }: ListMetaView): ListMetaView {
  return {
    ...(resourceVersion ? { resourceVersion } : {}),
    ...(token ? { continue: token } : {}),
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  };
}

function table(metadata: ListMetaView, objects: readonly KubeObject[], of: GroupKind, options: TableOptions): Table {
  const printer = options.printer ?? printerFor(of.group, of.kind);
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version ?? 'v1'}`,
    metadata: listMeta(metadata),
    columnDefinitions: options.noHeaders === true && !printer.alwaysHeaders ? null : printer.columns,
    rows: objects.length === 0 ? printer.emptyRows : objects.map((object) => tableRow(object, printer, options)),
  };
}

/** A list as a Table. `of` is what its items are: they do not always say it themselves. */
export function toTable(list: ListValue, of: GroupKind, options: TableOptions): Table {
  return table(list.metadata, list.items ?? [], of, options);
}

/** One object, or the object of a watch event, as a Table of one row. */
export function objectToTable(object: KubeObject, of: GroupKind, options: TableOptions): Table {
  const { resourceVersion } = object.metadata;
  return table(resourceVersion === undefined ? {} : { resourceVersion }, [object], of, options);
}
