import { cloneJson, deepEqual, Recent } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { StructuralSchema } from '@capstan/schema';
import { BrokenInvariant } from '../errors.js';
import type { Flow } from '../registry/effects.js';
import { orderedObject } from '../registry/metadata.js';
import type { RemoteConversion, VersionConversion } from '../registry/served-resource.js';
import type { Stored } from '../store/index.js';
import type { WebhookConverter } from './webhook-converter.js';

export interface ViewOptions {
  readonly apiVersion: string;
  readonly storageVersion: string;
  /** The schema of a version by its apiVersion; undefined where the CRD knows none of that name. */
  readonly schemaOf: (apiVersion: string) => StructuralSchema | undefined;
  /** Distinguishes these schemas from all others, so that results may be kept. */
  readonly key: string;
  /** Absent where versions differ by their name only. */
  readonly webhook?: WebhookConverter;
}

/** What is known of a stored version: it is not the served form, it is, or it is and was found sound. */
type Standing = 'other' | 'stored' | 'sound';

/** One request looks at an object several times over; what is looked at again later is kept with the stored version. */
const RECENT_VIEWS = 16;

/**
 * How stored custom resources look in one version. Everything read from the store is pruned and defaulted by today's
 * schema of the version it is stored in: it may have been written under another. Conversion only prunes; the defaults
 * of the version converted to are for what is written in that version.
 */
export class CustomView implements VersionConversion {
  readonly key: string;
  readonly remote?: RemoteConversion;
  readonly #options: ViewOptions;
  /** Objects that need no change stand for themselves. */
  readonly #seen = new Recent<KubeObject, KubeObject>(RECENT_VIEWS);

  constructor(options: ViewOptions) {
    this.#options = options;
    this.key = options.key;
    const { webhook } = options;
    if (webhook === undefined) return;
    this.remote = {
      fromStorage: (objects) => this.#ask(webhook, objects),
      encode: (object) => this.#encodeBy(webhook, object),
      asRead: (object, apiVersion) => askOne(webhook, object, apiVersion),
    };
  }

  toStorage(object: KubeObject): KubeObject {
    return object;
  }

  encode(object: KubeObject): KubeObject {
    return this.#converted(object, this.#options.storageVersion);
  }

  /** Never changes its argument; gives it back when there is nothing to change. */
  fromStorage(object: KubeObject): KubeObject {
    let view = this.#seen.get(object);
    if (view === undefined) this.#seen.set(object, (view = this.#look(object)));
    return view;
  }

  isStored(stored: Stored): boolean {
    const known = stored.fact<Standing>(this.key, () => {
      const object = stored.object();
      if (object.apiVersion !== this.#options.apiVersion) return 'other';
      return this.fromStorage(object) === object ? 'stored' : 'other';
    });
    return known !== 'other';
  }

  isSound(stored: Stored): boolean {
    return stored.knownFact<Standing>(this.key) === 'sound';
  }

  markSound(stored: Stored, since: KubeObject | undefined): void {
    const { apiVersion, schemaOf } = this.#options;
    const object = stored.object();
    if (this.remote !== undefined || object.apiVersion !== apiVersion) return;
    const standing: Standing = 'sound';
    if (schemaOf(apiVersion)?.isPrepared(object, since) === true) stored.learn(this.key, standing);
  }

  #look(object: KubeObject): KubeObject {
    const { apiVersion, schemaOf } = this.#options;
    // What was written under today's schema, which is nearly everything, need not be copied to be compared.
    if (object.apiVersion === apiVersion && schemaOf(apiVersion)?.isPrepared(object) !== false) return object;
    const read = this.#read(object);
    const view = this.#converted(read, apiVersion);
    return view === read && deepEqual(view, object) ? object : view;
  }

  /** A copy as today's schema of its version has it. */
  #read(object: KubeObject): KubeObject {
    const read = cloneJson(object);
    this.#options.schemaOf(object.apiVersion)?.prepare(read);
    return read;
  }

  *#ask(webhook: WebhookConverter, objects: readonly KubeObject[]): Flow<KubeObject[]> {
    const { apiVersion } = this.#options;
    const views = objects.map((object) => (object.apiVersion === apiVersion ? this.fromStorage(object) : undefined));
    const foreign = objects.filter((object) => object.apiVersion !== apiVersion);
    if (foreign.length === 0) return views as KubeObject[];
    const converted = yield* webhook.convert(
      foreign.map((object) => withoutRevision(this.#read(object))),
      apiVersion,
    );
    let next = 0;
    return views.map((view, at) => view ?? this.#pruned(converted[next++] as KubeObject, revisionOf(objects[at])));
  }

  *#encodeBy(webhook: WebhookConverter, object: KubeObject): Flow<KubeObject> {
    const { storageVersion } = this.#options;
    if (object.apiVersion === storageVersion) return object;
    const [stored] = yield* webhook.convert([withoutRevision(object)], storageVersion);
    // An empty one keeps its place for the one that the store puts in.
    return this.#pruned(stored as KubeObject, revisionOf(object) ?? '');
  }

  /** What a webhook gave, without what the version does not know. */
  #pruned(object: KubeObject, resourceVersion: string | undefined): KubeObject {
    const schema = this.#options.schemaOf(object.apiVersion);
    schema?.prune(object);
    schema?.dropInvalidNulls(object);
    const ordered = orderedObject(object);
    if (resourceVersion === undefined) delete ordered.metadata.resourceVersion;
    else ordered.metadata.resourceVersion = resourceVersion;
    return ordered;
  }

  /** In this version with everything it had in another, known here or not: so field managers compare versions. */
  asRead(object: KubeObject): KubeObject {
    return this.#renamed(object, this.#options.apiVersion);
  }

  #renamed(object: KubeObject, apiVersion: string): KubeObject {
    if (this.remote !== undefined) throw new BrokenInvariant(`${apiVersion} takes a webhook that was not asked`);
    return { ...object, apiVersion };
  }

  /** Takes ownership of the object. */
  #converted(object: KubeObject, apiVersion: string): KubeObject {
    if (object.apiVersion === apiVersion) return object;
    const converted = this.#renamed(object, apiVersion);
    const schema = this.#options.schemaOf(apiVersion);
    schema?.prune(converted);
    schema?.dropInvalidNulls(converted);
    return converted;
  }
}

function* askOne(webhook: WebhookConverter, object: KubeObject, apiVersion: string): Flow<KubeObject> {
  const [converted] = yield* webhook.convert([object], apiVersion);
  return converted as KubeObject;
}

/** Webhooks see what is stored, and the revision is not. */
function withoutRevision(object: KubeObject): KubeObject {
  const { resourceVersion: _revision, ...metadata } = object.metadata;
  return { ...object, metadata } as KubeObject;
}

function revisionOf(object: KubeObject | undefined): string | undefined {
  return object?.metadata.resourceVersion;
}
