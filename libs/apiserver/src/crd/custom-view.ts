import { apiErrors, cloneJson, deepEqual } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { StructuralSchema } from '@capstan/schema';
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
  readonly schema: () => StructuralSchema;
  /** Distinguishes this schema of this version from every other, so that results may be kept. */
  readonly key: string;
  /** Absent where versions differ by their name only. */
  readonly webhook?: (object: KubeObject, apiVersion: string) => KubeObject;
}

/**
 * How stored custom resources look in one version. Everything read from the store is pruned and defaulted by the
 * schema of today: the one it was written under may have been another.
 */
export class CustomView implements VersionConversion {
  readonly key: string;
  readonly #options: ViewOptions;
  /** Objects that need no change stand for themselves. */
  readonly #seen = new WeakMap<KubeObject, KubeObject>();

  constructor(options: ViewOptions) {
    this.#options = options;
    this.key = options.key;
  }

  toStorage(object: KubeObject): KubeObject {
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
    const { apiVersion, schema } = this.#options;
    const converted = this.#converted(object, apiVersion);
    const view = cloneJson(converted);
    schema().prepare(view);
    return converted === object && deepEqual(view, object) ? object : view;
  }

  #converted(object: KubeObject, apiVersion: string): KubeObject {
    if (object.apiVersion === apiVersion) return object;
    const { webhook } = this.#options;
    return webhook === undefined ? { ...object, apiVersion } : webhook(object, apiVersion);
  }
}

/** What conversion by webhook comes to as long as nobody can call one. */
export function conversionFailed(group: string, kind: string, version: string, reason: string): Error {
  return apiErrors.unclassified(`conversion webhook for ${group}/${version}, Kind=${kind} failed: ${reason}`);
}
