/** Lists of two nodes. */
import type { SchemaNode } from '@capstan/schema';
import { itemsOf } from '../drafts/any.js';
import { compareSize, listLimits } from './limits.js';
import type { Pair, SchemaComparison } from './schemas.js';
import { ITEM, type Trial, shownPath } from '../drafts/site.js';

function listTypeOf({ listType }: SchemaNode): string {
  return listType ?? 'atomic';
}

function typeTrials(wanted: string, given: string, keys: readonly string[]): readonly Trial[] {
  const twice: Trial[] =
    given === 'map'
      ? [
          { kind: 'sample', hint: { itemPair: { same: keys, differ: [] } } },
          { kind: 'sample', hint: { repeated: true } },
        ]
      : given === 'set'
        ? [{ kind: 'sample', hint: { repeated: true } }]
        : [];
  const applied: Trial[] = [{ kind: 'apply-items' }];
  if (wanted === 'map') applied.push({ kind: 'apply-items', itemPair: { same: keys, differ: [] } });
  return [...twice, ...applied];
}

function compareListTypes(walk: SchemaComparison, { required, live, place }: Pair): void {
  const wanted = listTypeOf(required);
  const given = listTypeOf(live);
  const { site } = place;
  const at = shownPath(site);
  if (wanted !== given) {
    if (place.isReplaced === true && given === 'atomic') return;
    const keys = given === 'map' ? live.listMapKeys : required.listMapKeys;
    const message = `${at} was a list of type ${wanted} and is one of type ${given} now`;
    const trials = typeTrials(wanted, given, keys);
    walk.add({ rule: 'list-type-changed', site, message, required: wanted, live: given, trials });
    return;
  }
  const gone = required.listMapKeys.filter((key) => !live.listMapKeys.includes(key));
  const added = live.listMapKeys.filter((key) => !required.listMapKeys.includes(key));
  if (wanted !== 'map' || (gone.length === 0 && added.length === 0)) return;
  const message = `items of ${at} are distinguished by ${live.listMapKeys.join(', ')} and not by ${required.listMapKeys.join(', ')}`;
  const trials: Trial[] = [
    { kind: 'sample', hint: { itemPair: { same: live.listMapKeys, differ: gone } } },
    { kind: 'apply-items', itemPair: { same: required.listMapKeys, differ: added } },
  ];
  const values = { required: required.listMapKeys, live: live.listMapKeys };
  walk.add({ rule: 'list-map-keys-changed', site, message, ...values, trials });
}

/** Compares the keywords about lists, and their items. */
export function compareLists(walk: SchemaComparison, pair: Pair): void {
  const { required, live, place } = pair;
  if (required.type !== 'array' && required.items === undefined && live.items === undefined) return;
  compareListTypes(walk, pair);
  for (const limit of listLimits) {
    if (required[limit.keyword] === live[limit.keyword]) continue;
    const draft = compareSize(pair, limit, true);
    if (draft !== undefined) walk.add(draft);
  }
  const wanted = itemsOf(required);
  const given = itemsOf(live);
  const isReplaced = place.isReplaced === true || (listTypeOf(required) === 'atomic' && listTypeOf(live) === 'atomic');
  const site = [...place.site, ITEM];
  const below = { site, excluded: place.excluded, resource: wanted.embeddedResource, isReplaced };
  const inner = { required: wanted, live: given, place: below };
  if (live.items !== undefined || required.items === undefined) {
    walk.compare(inner);
    return;
  }
  // Items are no longer described: errors are reported one by one, the rest as one warning.
  for (const draft of walk.errorsOf(inner)) walk.add(draft);
  const message = `items of ${shownPath(place.site)} are no longer described`;
  walk.add({ rule: 'field-no-longer-described', site: below.site, message });
}
