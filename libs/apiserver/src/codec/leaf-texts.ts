import { canonicalMicroTime, canonicalQuantity, canonicalTime, formatDuration, parseDuration } from '@capstan/meta';

/**
 * The canonical forms of texts that have a language of their own. Each takes the text of the JSON value, gives the
 * form Go would print, and throws an Error with Go's message when Go could not have read it.
 */
export interface LeafTexts {
  /** `resource.Quantity`: `1000m` → `1`. */
  quantity(text: string): string;
  /** `metav1.Time`: RFC 3339 → whole seconds in UTC, null for the zero time. */
  time(text: string): string | null;
  /** `metav1.MicroTime`: RFC 3339 with exactly six decimals → the same in UTC, null for the zero time. */
  microTime(text: string): string | null;
  /** `metav1.Duration`: `90s` → `1m30s`. */
  duration(text: string): string;
}

/** The leaf texts of built-in Kubernetes objects. */
export const LEAF_TEXTS: LeafTexts = {
  quantity: canonicalQuantity,
  time: canonicalTime,
  microTime: canonicalMicroTime,
  duration: (text) => formatDuration(parseDuration(text)),
};
