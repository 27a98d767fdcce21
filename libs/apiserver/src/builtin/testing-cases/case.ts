import type { JsonObject } from '@capstan/meta';

/** One object of one built-in resource, without apiVersion and kind. */
export interface ObjectCase {
  readonly title: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly object: JsonObject;
}

/** An object and every complaint about it. */
export interface ValidationCase extends ObjectCase {
  readonly errors: readonly string[];
}

/** An object and what it becomes; `UID` and the first second of 2024 stand for what the server fills in. */
export interface DefaultsCase extends ObjectCase {
  readonly result: JsonObject;
  readonly warnings: readonly string[];
}

/** A change to the object as stored. */
export interface UpdateCase extends ObjectCase {
  /** The subresource written to; empty for the object itself. */
  readonly sub: string;
  readonly patch: unknown;
  readonly errors: readonly string[];
  readonly generation?: number;
}
