import type { AnsweredReview } from '../metrics.js';

const VERSION = /^v\d{1,3}(?:(?:alpha|beta)\d{1,3})?$/;
/** Versions come from requests: the first ones get a label of their own, the others share one. */
const MAX_VERSIONS = 16;
const OTHER = 'other';

/** What a review was about, as far as it could be read. */
export interface Subject {
  readonly fromVersions: readonly string[];
  readonly toVersion: string;
  /** Undefined for kinds without a private CRD. */
  readonly kind: string | undefined;
}

/** Of nothing that is known. */
export const UNKNOWN_SUBJECT: Subject = { fromVersions: [], toVersion: '', kind: undefined };

/** Gives reviews labels of which there are only so many. */
export class ReviewLabels {
  readonly #versions = new Set<string>();

  of({ fromVersions, kind, toVersion }: Subject): Pick<AnsweredReview, 'fromVersion' | 'toVersion' | 'resource'> {
    const distinct = new Set(fromVersions);
    const [first = OTHER] = distinct;
    const fromVersion = distinct.size > 1 ? 'several' : this.#version(first);
    return { fromVersion, toVersion: this.#version(toVersion), resource: kind?.toLowerCase() ?? OTHER };
  }

  #version(version: string): string {
    if (this.#versions.has(version)) return version;
    if (!VERSION.test(version) || this.#versions.size >= MAX_VERSIONS) return OTHER;
    this.#versions.add(version);
    return version;
  }
}
