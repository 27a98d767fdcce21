import type { GroupVersionKind, GroupVersionResource, KubeObject, UserInfo } from '@capstan/meta';
import type { Flow } from './effects.js';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A kind a request can be seen as. */
export interface AdmittedKind {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** Reads JSON as an object of this kind, unknown fields dropped, defaults set. Throws what is to be answered. */
  decode(value: unknown): KubeObject;
}

/** Another version of the kind of a request. */
export interface EquivalentKind extends AdmittedKind {
  /** From the version of the request. */
  fromRequest(object: KubeObject): Flow<KubeObject>;
  /** To the version of the request. */
  toRequest(object: KubeObject): Flow<KubeObject>;
}

/** A write on its way to the store, as admission sees it: objects are in the version the client speaks. */
export interface AdmissionAttributes extends AdmittedKind {
  readonly operation: AdmissionOperation;
  readonly subresource: string;
  /** Empty for cluster-scoped resources; for namespaces their own name. */
  readonly namespace: string;
  /** Empty as long as it is to be generated, and for deletes of collections. */
  readonly name: string;
  /** Absent for DELETE; for CONNECT options, which have no metadata. */
  readonly object: KubeObject | undefined;
  /** Absent for CREATE. */
  readonly oldObject: KubeObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** The options of the request, with kind and apiVersion. */
  readonly options: unknown;
  /** Other versions of the same resource. */
  equivalents(): readonly EquivalentKind[];
  /** Texts for Warning headers, in order. */
  readonly warnings: string[];
  /** Annotates the audit event of the request. */
  readonly annotate: (key: string, value: string) => void;
}

/** One part of admission. Throws an ApiError to refuse. */
export interface AdmissionPlugin {
  /** Nothing is configured: the plugin would let everything pass as it is. */
  readonly isIdle: boolean;
  /** Gives the object as the plugin wants it: the same one when nothing changed. */
  mutate?(attributes: AdmissionAttributes): Flow<KubeObject | undefined>;
  /** Sees the object as it would be stored. */
  validate?(attributes: AdmissionAttributes): Flow<void>;
}

/** What stands between a request and the store besides the kind's own rules. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];

  /** In the order in which they are asked. */
  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  get isIdle(): boolean {
    return this.#plugins.every((plugin) => plugin.isIdle);
  }

  *mutate(attributes: AdmissionAttributes): Flow<KubeObject | undefined> {
    let seen = attributes;
    for (const plugin of this.#plugins) {
      if (plugin.isIdle || plugin.mutate === undefined) continue;
      const object = yield* plugin.mutate(seen);
      if (object !== seen.object) seen = { ...seen, object };
    }
    return seen.object;
  }

  *validate(attributes: AdmissionAttributes): Flow<void> {
    for (const plugin of this.#plugins) if (!plugin.isIdle) yield* plugin.validate?.(attributes) ?? [];
  }
}

/** Admission of one request: what the chain needs to know of it is bound already. */
export interface RequestAdmission {
  mutate(operation: AdmissionOperation, object: KubeObject, old: KubeObject | undefined): Flow<KubeObject>;
  validate(operation: AdmissionOperation, object: KubeObject, old: KubeObject | undefined): Flow<void>;
  /** Mutating parts are asked too, but there is nothing they could change. `grace` in seconds, where the kind knows any. */
  delete(old: KubeObject, grace: number | undefined): Flow<void>;
}
