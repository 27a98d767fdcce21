import { clusterApiConversions } from '@capstan/convert/cluster-api';
import type { GroupMapping } from '@capstan/translate';
import { readSourceWebhook, SOURCE_WEBHOOK_ANNOTATION } from '@capstan/translate/mirror';
import { ConversionFailure } from '../errors.js';
import { delegateOf } from './delegate.js';
import type { Delegate } from './delegate.js';

/** Who converts a kind: the shim itself, or a webhook. */
export type Route = { readonly type: 'own' } | { readonly type: 'delegate'; readonly delegate: Delegate };

/** What a route follows from. */
export interface Signposts {
  readonly mapping: GroupMapping;
  /** By the standard name of a group. */
  readonly delegates: ReadonlyMap<string, Delegate>;
  /** The annotations of a kind's private CRD; undefined where there is none. */
  readonly annotationsOf: (group: string, kind: string) => Readonly<Record<string, string>> | undefined;
}

/**
 * Undefined while the kind has no CRD that is known here.
 *
 * The delegate of the group; else the shim itself for the core kinds, for their platform's webhook would look up
 * the platform's CRDs; else the webhook that the source of the CRD had.
 */
export function routeOf(
  { group, kind }: { readonly group: string; readonly kind: string },
  posts: Signposts,
): Route | undefined {
  const standard = posts.mapping.swap(group);
  const named = posts.delegates.get(standard);
  if (named !== undefined) return { type: 'delegate', delegate: named };
  if (convertsItself(standard, kind)) return { type: 'own' };
  const annotations = posts.annotationsOf(group, kind);
  if (annotations === undefined) return undefined;
  const config = readSourceWebhook(annotations[SOURCE_WEBHOOK_ANNOTATION]);
  const delegate = config === undefined ? undefined : delegateOf(config);
  if (delegate !== undefined) return { type: 'delegate', delegate };
  throw nobody(`its CRD names no webhook in ${SOURCE_WEBHOOK_ANNOTATION}`, standard);
}

/** There is nobody to ask. */
export function nobody(why: string, standardGroup: string): ConversionFailure {
  return new ConversionFailure(`no webhook converts it: ${why}, and no --delegate is for ${standardGroup}`);
}

function convertsItself(group: string, kind: string): boolean {
  return clusterApiConversions.some((each) => each.group === group && each.kind === kind);
}
