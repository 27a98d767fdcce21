import type { KubeObject } from '@capstan/meta';

/** Every call may be given up and may ask for metadata only. */
export interface CallOptions {
  readonly namespace?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Answers hold `PartialObjectMetadata` instead of whole objects. */
  readonly metadataOnly?: boolean | undefined;
}

export interface GetOptions extends CallOptions {
  readonly subresource?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

export interface SelectOptions extends CallOptions {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export interface ListOptions extends SelectOptions {
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
  /** Items per request; every page is followed. 0 = all in one answer. Default 500. */
  readonly pageSize?: number | undefined;
  /** Awaited before each page but the first, so that a client in no hurry lets others in between. */
  readonly betweenPages?: (() => Promise<unknown>) | undefined;
}

export interface WatchOptions extends SelectOptions {
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'NotOlderThan' | undefined;
  readonly allowWatchBookmarks?: boolean | undefined;
  readonly sendInitialEvents?: boolean | undefined;
  readonly timeoutSeconds?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  readonly subresource?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly fieldManager?: string | undefined;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

export interface CreateOptions extends WriteOptions {
  /** The object a subresource is created on (`pods/x/eviction`, `serviceaccounts/x/token`). */
  readonly name?: string | undefined;
}

export interface PatchOptions extends WriteOptions {
  /** Takes fields over from other managers (apply only). */
  readonly force?: boolean | undefined;
}

/** How a patch is read: JSON Patch, merge patch, strategic merge patch or server-side apply. */
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

export interface Patch {
  readonly type: PatchType;
  /** The operations, the merge document or the applied object. */
  readonly value: unknown;
}

export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan';

export interface DeleteOptions extends CallOptions {
  readonly propagationPolicy?: PropagationPolicy | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface DeleteCollectionOptions extends DeleteOptions, SelectOptions {}

/** A list that keeps of each object what `reduce` gives, page by page: what is left out is never whole in memory. */
export interface ReducedListOptions<T extends KubeObject, R> extends ListOptions {
  readonly reduce: (object: T) => R;
}

/** What is kept of a list. */
export interface ReducedList<R> {
  readonly resourceVersion: string;
  readonly items: readonly R[];
}

/** A list with all its pages. */
export interface ObjectList<T extends KubeObject> {
  readonly resourceVersion: string;
  readonly items: readonly T[];
}
