import type { KubeObject } from '@capstan/meta';
import type { CallOptions, DeleteOptions, PatchOptions, PatchType, SelectOptions, WriteOptions } from './options.js';

/** How calls are put into requests, and lists taken out of answers. */

/** Media type of plain JSON. */
export const JSON_TYPE = 'application/json';
const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
/** Media type of each kind of patch. */
export const PATCH_TYPES: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  // JSON is YAML.
  apply: 'application/apply-patch+yaml',
};

/** A list document. */
export interface RawList {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly KubeObject[] | null;
}

/** Items of typed lists come without kind and version, which follow from the list's. */
export function listItems<T extends KubeObject>(list: RawList): readonly T[] {
  const items = (list.items ?? []) as readonly T[];
  const kind = list.kind?.endsWith('List') === true ? list.kind.slice(0, -4) : undefined;
  if (kind === undefined || list.apiVersion === undefined || items[0]?.kind !== undefined) return items;
  const { apiVersion } = list;
  return items.map((item) => Object.freeze(Object.assign({ apiVersion, kind }, item)));
}

/** Query of a write. */
export function writeQuery(options: WriteOptions): Record<string, string | undefined> {
  return {
    dryRun: options.dryRun === true ? 'All' : undefined,
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
  };
}

/** As {@link writeQuery}, for a patch. */
export function patchQuery(options: PatchOptions): Record<string, string | boolean | undefined> {
  const { dryRun, fieldManager, fieldValidation } = writeQuery(options);
  return { dryRun, fieldManager, fieldValidation, force: options.force };
}

/** What a list may be answered with. */
export function acceptList(options: CallOptions): string {
  return options.metadataOnly === true ? METADATA_LIST : JSON_TYPE;
}

/** What a call for one object may be answered with. */
export function acceptOne(options: CallOptions): string {
  return options.metadataOnly === true ? METADATA : JSON_TYPE;
}

/** Query of a selection. */
export function selectQuery({ labelSelector, fieldSelector }: SelectOptions): Record<string, string | undefined> {
  return { labelSelector, fieldSelector };
}

/** The `DeleteOptions` sent as body. */
export function deleteBody(options: DeleteOptions): unknown {
  const { preconditions, propagationPolicy, gracePeriodSeconds, dryRun } = options;
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions === undefined
      ? {}
      : {
          preconditions: {
            ...(preconditions.uid === undefined ? {} : { uid: preconditions.uid }),
            ...(preconditions.resourceVersion === undefined ? {} : { resourceVersion: preconditions.resourceVersion }),
          },
        }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(dryRun === true ? { dryRun: ['All'] } : {}),
  };
}

/** The parts of a request every call has. */
export function callFields(options: CallOptions): { accept: string; signal: AbortSignal | undefined } {
  return { accept: acceptOne(options), signal: options.signal };
}
