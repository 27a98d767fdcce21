import { canonicalMicroTime, canonicalQuantity, canonicalTime, formatDuration, parseDuration } from '@capstan/meta';
import type { LeafTexts } from '../codec/index.js';

/** How the texts inside built-in objects are read and printed. */
export const LEAF_TEXTS: LeafTexts = {
  quantity: canonicalQuantity,
  time: canonicalTime,
  microTime: canonicalMicroTime,
  duration: (text) => formatDuration(parseDuration(text)),
};
