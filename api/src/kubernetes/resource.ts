/** The discovery entry of one served resource. Data only: how it behaves is its strategy's business. */
export interface ResourceDefinition {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Absent for kinds that are only posted (reviews). */
  readonly listKind?: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** Sorted as the real server sorts them: create, delete, deletecollection, get, list, patch, update, watch. */
  readonly verbs: readonly string[];
  readonly subresources: readonly SubresourceDefinition[];
}

export interface SubresourceDefinition {
  /** The last path segment: `status`, `scale`, `eviction`. */
  readonly name: string;
  /** Group, version and kind of the body where they differ from the parent's (Scale, Eviction, TokenRequest). */
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}
