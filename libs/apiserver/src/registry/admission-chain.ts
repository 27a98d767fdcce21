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

/** The two times admission is asked. */
export type AdmissionStep = 'admit' | 'validate';

/** One part of admission. Throws an ApiError to refuse. */
export interface AdmissionPlugin {
  /** Nothing is configured: the plugin would let everything pass as it is. */
  readonly isIdle: boolean;
  /** Whether it looks at requests of a user; absent: at everybody's. */
  concerns?(user: UserInfo): boolean;
  /** What the part is called in each step. */
  readonly names: Readonly<Record<AdmissionStep, string>>;
  /** Gives the object as the plugin wants it: the same one when nothing changed. */
  mutate?(attributes: AdmissionAttributes): Flow<KubeObject | undefined>;
  /** Sees the object as it would be stored. */
  validate?(attributes: AdmissionAttributes): Flow<void>;
}

/** Called with how long admission took; a whole step has no name. */
export interface AdmissionWatcher {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  took(part: string | undefined, step: AdmissionStep, operation: AdmissionOperation, spent: TimeSpent): void;
}

/** What became of a request, and after how long. */
export interface TimeSpent {
  readonly milliseconds: number;
  readonly rejected: boolean;
}

/** What stands between a request and the store besides the kind's own rules. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #watcher: AdmissionWatcher;

  /** In the order in which they are asked. */
  constructor(plugins: readonly AdmissionPlugin[], watcher: AdmissionWatcher) {
    this.#plugins = plugins;
    this.#watcher = watcher;
  }

  /** Nobody has anything to say to what a user asks for. */
  isIdleFor(user: UserInfo): boolean {
    return !this.#plugins.some((plugin) => isAsked(plugin, user));
  }

  mutate(attributes: AdmissionAttributes): Flow<KubeObject | undefined> {
    return this.#timed(undefined, 'admit', attributes, this.#mutate(attributes));
  }

  validate(attributes: AdmissionAttributes): Flow<void> {
    return this.#timed(undefined, 'validate', attributes, this.#validate(attributes));
  }

  *#mutate(attributes: AdmissionAttributes): Flow<KubeObject | undefined> {
    let seen = attributes;
    for (const plugin of this.#plugins) {
      if (plugin.mutate === undefined || !isAsked(plugin, seen.user)) continue;
      const object = yield* this.#timed(plugin.names.admit, 'admit', seen, plugin.mutate(seen));
      if (object !== seen.object) seen = { ...seen, object };
    }
    return seen.object;
  }

  *#validate(attributes: AdmissionAttributes): Flow<void> {
    for (const plugin of this.#plugins) {
      if (plugin.validate === undefined || !isAsked(plugin, attributes.user)) continue;
      yield* this.#timed(plugin.names.validate, 'validate', attributes, plugin.validate(attributes));
    }
  }

  *#timed<T>(
    part: string | undefined,
    step: AdmissionStep,
    { operation }: AdmissionAttributes,
    flow: Flow<T>,
  ): Flow<T> {
    const started = this.#watcher.now();
    let rejected = true;
    try {
      const result = yield* flow;
      rejected = false;
      return result;
    } finally {
      this.#watcher.took(part, step, operation, { milliseconds: this.#watcher.now() - started, rejected });
    }
  }
}

function isAsked(plugin: AdmissionPlugin, user: UserInfo): boolean {
  return !plugin.isIdle && plugin.concerns?.(user) !== false;
}

/** Admission of one request: what the chain needs to know of it is bound already. */
export interface RequestAdmission {
  mutate(operation: AdmissionOperation, object: KubeObject, old: KubeObject | undefined): Flow<KubeObject>;
  /** Gives the object as it is to be stored: what webhooks added is pruned only after all of them have seen it. */
  validate(operation: AdmissionOperation, object: KubeObject, old: KubeObject | undefined): Flow<KubeObject>;
  /** Mutating parts are asked too, but there is nothing they could change. `grace` in seconds, where the kind knows any. */
  delete(old: KubeObject, grace: number | undefined): Flow<void>;
}
