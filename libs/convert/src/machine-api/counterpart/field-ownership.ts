/** Who wrote an entry of the labels or annotations of an object, by its managed fields. */
import type { JsonObject } from '@capstan/meta';
import { getAt, isRecord } from '../../engine/path.js';

/** Who else than a manager owns entries of an object. */
export class OtherOwners {
  readonly #entries: readonly JsonObject[];
  /** Whether the server did record who owns what. */
  readonly isKnown: boolean;

  constructor(object: JsonObject, managers: readonly string[]) {
    const found = getAt(object, ['metadata', 'managedFields']);
    const all = (Array.isArray(found) ? found : []).filter(isRecord);
    this.isKnown = all.length > 0;
    this.#entries = all
      .filter(({ manager }) => typeof manager !== 'string' || !managers.includes(manager))
      .map(({ fieldsV1 }) => getAt(fieldsV1, ['f:metadata']))
      .filter(isRecord);
  }

  /** Whether another manager owns the entry. */
  owns(field: 'labels' | 'annotations', key: string): boolean {
    return this.#entries.some((metadata) => {
      const entries = metadata[`f:${field}`];
      return isRecord(entries) && Object.hasOwn(entries, `f:${key}`);
    });
  }
}
