/** Objects of two nodes: members, maps, what is required. */
import { deepEqual } from '@capstan/meta';
import type { SchemaNode } from '@capstan/schema';
import { ANY, resourceNames, restOf } from '../drafts/any.js';
import { compareSize, memberLimits } from './limits.js';
import { compareResources } from './resources.js';
import { nullsBelow } from './junctors.js';
import type { Filled, Pair, Place, SchemaComparison } from './schemas.js';
import { ABSENT, type Site, type Step, type Trial, VALUE, pathOf, shownPath } from '../drafts/site.js';

function property(name: string): Step {
  return { kind: 'property', name };
}

function isExcluded({ excluded }: Place, name: string): boolean {
  return excluded?.has(name) === true && excluded.get(name) === undefined;
}

/** Type fields and metadata of a resource are compared by themselves. */
function isOwn(place: Place, name: string): boolean {
  return place.resource && resourceNames.has(name);
}

/** Whether an object of the place always has the member: the metadata of an embedded resource may be left out. */
function isAlwaysThere(place: Place, name: string): boolean {
  return isOwn(place, name) && !(name === 'metadata' && place.site.length > 0);
}

function below({ excluded, isReplaced, site }: Place, step: Step, node: SchemaNode): Place {
  const tree = step.kind === 'property' ? excluded?.get(step.name) : undefined;
  return {
    site: [...site, step],
    excluded: tree,
    resource: node.embeddedResource,
    ...(isReplaced === true && { isReplaced }),
  };
}

/** A field that the live schema keeps without describing it, or describes as a value of a map. */
function compareWithRest(walk: SchemaComparison, required: SchemaNode, rest: SchemaNode, place: Place): void {
  // A default of values is for null ones: it fills nothing in where the key is missing.
  const inner = rest.default === undefined ? rest : { ...rest, default: undefined };
  if (rest !== ANY) {
    walk.compare({ required, live: inner, place });
    return;
  }
  // Whether it may be null now is part of what is no longer described.
  const live = { ...inner, nullable: required.nullable };
  for (const draft of walk.errorsOf({ required, live, place })) walk.add(draft);
  const message = `${shownPath(place.site)} is kept but no longer described`;
  walk.add({ rule: 'field-no-longer-described', site: place.site, message });
  // A null there was dropped, and stays now.
  if (!required.nullable) walk.filled.push({ site: place.site, isNull: true });
}

/** A field that nobody uses is still there by default: members are counted, and alternatives look at them. */
function compareExcluded(
  walk: SchemaComparison,
  {
    required,
    live,
    site,
  }: { readonly required: SchemaNode; readonly live: SchemaNode | undefined; readonly site: Site },
): void {
  if (deepEqual(required.raw, live?.raw)) return;
  walk.retyped.push(site);
  const was = required.default !== undefined;
  const is = live?.default !== undefined;
  if (was !== is) walk.filled.push({ site, isNull: false, ...(was && { isGone: true }) });
}

function compareKnown(walk: SchemaComparison, { required, live, place }: Pair): void {
  const rest = restOf(live);
  for (const [name, wanted] of required.properties ?? []) {
    if (isExcluded(place, name)) {
      compareExcluded(walk, {
        required: wanted,
        live: live.properties?.get(name),
        site: [...place.site, property(name)],
      });
      continue;
    }
    if (isOwn(place, name)) continue;
    const given = live.properties?.get(name);
    const at = below(place, property(name), wanted);
    if (given !== undefined) walk.compare({ required: wanted, live: given, place: at });
    else if (rest !== undefined) compareWithRest(walk, wanted, rest, at);
    else {
      const message = `field ${shownPath(at.site)} was removed`;
      walk.add({ rule: 'field-removed', site: at.site, message, trials: [{ kind: 'sample' }] });
    }
  }
}

function compareNew(walk: SchemaComparison, { required, live, place }: Pair): void {
  const rest = restOf(required);
  for (const [name, given] of live.properties ?? []) {
    if (required.properties?.has(name) === true || isExcluded(place, name) || isOwn(place, name)) continue;
    const at = below(place, property(name), given);
    if (rest !== undefined) {
      const wanted = rest.default === undefined ? rest : { ...rest, default: undefined };
      walk.compare({ required: wanted, live: given, place: at });
    } else if (given.default !== undefined) {
      walk.filled.push({ site: at.site, isNull: false });
      const message = `the new field ${shownPath(at.site)} has a default`;
      walk.add({ rule: 'default-on-new-field', site: at.site, message, live: given.default });
    }
  }
}

function compareRequired(walk: SchemaComparison, { required, live, place }: Pair): void {
  for (const name of live.required) {
    // A field that is dropped is missing, even where it was required.
    const isDropped = isExcluded(place, name) && isGone(live, name);
    if ((required.required.includes(name) && !isDropped) || isAlwaysThere(place, name)) continue;
    // What has a default is always there.
    if (live.properties?.get(name)?.default !== undefined) continue;
    const site = [...place.site, property(name)];
    const excluded = isExcluded(place, name);
    const rule = excluded ? 'required-excluded-field' : 'required-added';
    const message = excluded
      ? `the excluded field ${shownPath(site)} is required now`
      : `field ${shownPath(site)} is required now`;
    walk.add({ rule, site, message, trials: [{ kind: 'value', value: ABSENT }] });
  }
}

function isGone(node: SchemaNode, name: string): boolean {
  return node.properties?.has(name) !== true && restOf(node) === undefined;
}

function isFilled(node: SchemaNode, name: string): boolean {
  return node.properties?.get(name)?.default !== undefined;
}

/** What readers could rely on. */
function compareNoLongerRequired(walk: SchemaComparison, { required, live, place }: Pair): void {
  for (const name of required.required) {
    if (live.required.includes(name) || isAlwaysThere(place, name) || isExcluded(place, name)) continue;
    if (isGone(live, name) || (isFilled(live, name) && isFilled(required, name))) continue;
    const site = [...place.site, property(name)];
    walk.add({ rule: 'required-removed', site, message: `field ${shownPath(site)} is no longer required` });
  }
}

function keysOf({ properties }: SchemaNode): readonly string[] {
  return [...(properties?.keys() ?? [])].toSorted();
}

/** Members that have no schema of their own. */
function compareRest(walk: SchemaComparison, { required, live, place }: Pair): void {
  const wanted = restOf(required);
  const given = restOf(live);
  const { site } = place;
  const at = shownPath(site);
  const trials = [{ kind: 'sample', hint: { extra: true } }] as const;
  if (wanted === undefined) {
    if (given === undefined) return;
    const map = given !== ANY;
    const rule = map ? 'struct-became-map' : 'unknown-fields-kept';
    const message = map ? `${at} takes any key now` : `${at} keeps unknown fields now`;
    walk.add({ rule, site, message });
  } else if (given === undefined) {
    const rule = wanted === ANY ? 'unknown-fields-pruned' : 'map-became-struct';
    const message =
      wanted === ANY ? `${at} no longer keeps unknown fields` : `${at} was a map and has fixed fields now`;
    // The keys that are kept: an update that keeps fewer of them is worse.
    walk.add({ rule, site, message, live: keysOf(live), trials });
  } else {
    const inner = below(place, VALUE, wanted);
    if (given !== ANY || wanted === ANY) walk.compare({ required: wanted, live: given, place: inner });
    else {
      for (const draft of walk.errorsOf({ required: wanted, live: given, place: inner })) walk.add(draft);
      const message = `values of ${at} are no longer described`;
      walk.add({ rule: 'field-no-longer-described', site: inner.site, message });
    }
  }
}

function compareMapTypes(walk: SchemaComparison, { required, live, place }: Pair): void {
  const wanted = required.mapType ?? 'granular';
  const given = live.mapType ?? 'granular';
  if (wanted === given || place.isReplaced === true) return;
  const { site } = place;
  const message = `${shownPath(site)} was a map of type ${wanted} and is one of type ${given} now`;
  const trials = [{ kind: 'apply-members' }] as const;
  walk.add({ rule: 'map-type-changed', site, message, required: wanted, live: given, trials });
}

function compareMemberLimits(walk: SchemaComparison, pair: Pair, filled: number): void {
  const { required, live, place } = pair;
  for (const limit of memberLimits) {
    // The server counts apiVersion, kind and metadata as well, which no schema lists.
    const draft =
      required[limit.keyword] === live[limit.keyword] ? undefined : compareSize(pair, limit, !place.resource);
    if (draft !== undefined) walk.add(draft);
  }
  const own = walk.filled.slice(filled).filter(({ site }) => site.length === place.site.length + 1);
  compareFewest(walk, pair, own);
  compareMost(
    walk,
    pair,
    own.filter(({ isGone }) => isGone !== true),
  );
}

/** Whether too few members are left where defaults of excluded fields are not filled in any more. */
function compareFewest(walk: SchemaComparison, { required, live, place }: Pair, filled: readonly Filled[]): void {
  const gone = filled.filter(({ isGone }) => isGone === true);
  const { minProperties: wanted = 0 } = required;
  const { minProperties: fewest = 0 } = live;
  const others = required.required.filter((name) => !isExcluded(place, name)).length;
  // A limit that is tighter by itself is found by itself.
  if (gone.length === 0 || fewest > wanted || fewest <= Math.max(others, wanted - gone.length)) return;
  const message = `defaults of excluded fields no longer count in minProperties of ${shownPath(place.site)}`;
  const extent = gone.map(({ site }) => pathOf(site)).toSorted();
  const trials: Trial[] = [{ kind: 'value', value: {} }, { kind: 'sample' }];
  const values = { required: required.minProperties, live: live.minProperties };
  walk.add({ rule: 'min-properties-tightened', site: place.site, message, ...values, extent, trials });
}

/** Whether too many members are there where defaults or null fill some in. */
function compareMost(walk: SchemaComparison, { required, live, place }: Pair, own: readonly Filled[]): void {
  const most = live.maxProperties;
  if (most === undefined || own.length === 0) return;
  const nulls = nullsBelow(place, own);
  const message =
    nulls.length === 0
      ? `defaults of new fields count in maxProperties of ${shownPath(place.site)}`
      : `null members count in maxProperties of ${shownPath(place.site)} now`;
  const trials: Trial[] = [{ kind: 'sample', hint: { members: most } }];
  if (nulls.length > 0) trials.unshift({ kind: 'sample', hint: { members: most + 1, nulls } });
  const values = { required: required.maxProperties, live: most };
  const extent = own.map(({ site }) => pathOf(site)).toSorted();
  walk.add({ rule: 'max-properties-tightened', site: place.site, message, ...values, extent, trials });
}

/** Compares the keywords about objects, and their members. */
export function compareObjects(walk: SchemaComparison, outer: Pair): void {
  const { live, required } = outer;
  if (required.type !== '' && required.type !== 'object') return;
  const filled = walk.filled.length;
  compareMapTypes(walk, outer);
  const isReplaced = required.mapType === 'atomic' && live.mapType === 'atomic';
  const pair = isReplaced ? { ...outer, place: { ...outer.place, isReplaced } } : outer;
  compareResources(walk, pair);
  compareKnown(walk, pair);
  compareNew(walk, pair);
  compareRequired(walk, pair);
  compareNoLongerRequired(walk, pair);
  compareRest(walk, pair);
  compareMemberLimits(walk, pair, filled);
}
