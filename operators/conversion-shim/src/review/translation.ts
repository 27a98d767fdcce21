import { conversionReviewShape, fieldsOf, JsonRewriter } from '@capstan/translate';
import type { GroupMapping } from '@capstan/translate';

/** Gives a review under the other names of its groups: as bytes, so that nothing else in it changes. */
export type SwapReview = (body: Uint8Array) => Buffer;

/** Makes the translation of reviews. */
export function reviewSwapper(mapping: GroupMapping): SwapReview {
  const shape = conversionReviewShape(fieldsOf(mapping));
  return (body) => {
    const rewriter = new JsonRewriter(shape);
    return Buffer.concat([...rewriter.push(body), ...rewriter.end()]);
  };
}
