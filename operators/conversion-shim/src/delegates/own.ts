import { contractContext, convertClusterApi } from '@capstan/convert/cluster-api';
import type { ClusterApiContext, DefinitionLabels } from '@capstan/convert/cluster-api';
import { parseJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { GroupMapping } from '@capstan/translate';

/** Converts a review of core kinds under their standard names; undefined when it is none. */
export type OwnConverter = (review: Uint8Array) => JsonObject | undefined;

/** The converter of the shim itself: which version a reference names is looked up at the private CRDs. */
export function ownConverter(labelsOf: DefinitionLabels, mapping: GroupMapping): OwnConverter {
  const context: ClusterApiContext = contractContext((name) => labelsOf(mapping.swapAfterDot(name)));
  return (review) => convertClusterApi(parseJson(review, { duplicates: false }).value, context);
}
