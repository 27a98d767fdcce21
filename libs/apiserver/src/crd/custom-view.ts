import { apiErrors, cloneJson, deepEqual } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { StructuralSchema } from '@capstan/schema';
import { Recent } from '../recent.js';
import type { VersionConversion } from '../registry/served-resource.js';
import type { Stored } from '../store/index.js';

/** A request to turn objects of one kind into another version. */
export interface ConversionRequest {
  /** The definition whose webhook is to be asked. */
  readonly definition: KubeObject;
  readonly desiredAPIVersion: string;
  readonly objects: readonly KubeObject[];
}

/** Converts by webhook; throws an Error whose message says why it failed. */
export type ConvertObjects = (request: ConversionRequest) => readonly KubeObject[];

export interface ViewOptions {
  readonly apiVersion: string;
  readonly storageVersion: string;
  /** The schema of a version by its apiVersion; undefined where the definition knows none of that name. */
  readonly schemaOf: (apiVersion: string) => StructuralSchema | undefined;
  /** Distinguishes these schemas from all others, so that results may be kept. */
  readonly key: string;
  /** Absent where versions differ by their name only. */
  readonly webhook?: (object: KubeObject, apiVersion: string) => KubeObject;
}

/** One request looks at an object several times over; what is looked at again later is kept with the stored version. */
const RECENT_VIEWS = 16;

/**
 * How stored custom resources look in one version. Everything read from the store is pruned and defaulted by today's
 * schema of the version it is stored in: it may have been written under another. Conversion only prunes; the defaults
 * of the version converted to are for what is written in that version.
 */
export class CustomView implements VersionConversion {
  readonly key: string;
  readonly mayFail: boolean;
  readonly #options: ViewOptions;
  /** Objects that need no change stand for themselves. */
  readonly #seen = new Recent<KubeObject, KubeObject>(RECENT_VIEWS);

  constructor(options: ViewOptions) {
    this.#options = options;
    this.key = options.key;
    this.mayFail = options.webhook !== undefined;
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
    return stored.fact(this.key, () => {
      const object = stored.object();
      return this.fromStorage(object) === object;
    });
  }

  #look(object: KubeObject): KubeObject {
    const { apiVersion, schemaOf } = this.#options;
    const read = cloneJson(object);
    schemaOf(object.apiVersion)?.prepare(read);
    const view = this.#converted(read, apiVersion);
    return view === read && deepEqual(view, object) ? object : view;
  }

  /** In this version with everything it had in another, known here or not: so field managers compare versions. */
  asRead(object: KubeObject): KubeObject {
    return this.#renamed(object, this.#options.apiVersion);
  }

  #renamed(object: KubeObject, apiVersion: string): KubeObject {
    const { webhook } = this.#options;
    return webhook === undefined ? { ...object, apiVersion } : webhook(object, apiVersion);
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

/** What conversion by webhook comes to as long as nobody can call one. */
export function conversionFailed(group: string, kind: string, version: string, reason: string): Error {
  return apiErrors.unclassified(`conversion webhook for ${group}/${version}, Kind=${kind} failed: ${reason}`);
}
