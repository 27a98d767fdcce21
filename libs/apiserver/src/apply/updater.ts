/** Who owns what after a write: the rules of ownership, conflict and removal. */
import { BrokenInvariant } from '../errors.js';
import { deepEqual } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { ApplyType } from './apply-type.js';
import { compareValues } from './compare.js';
import { ConversionFailed } from './conversion-failed.js';
import { EMPTY_SET } from './field-node.js';
import type { FieldSet } from './field-node.js';
import {
  difference,
  forEachPath,
  intersection,
  isEmptySet,
  isSubset,
  pathText,
  union,
  withNamedFields,
} from './field-set.js';
import { fieldSetOf } from './field-set-of.js';
import { dropEmpty, newState, withSet, withoutManaged } from './managed.js';
import type { ManagerIdentity, ManagerState, ManagerTable } from './managed.js';
import { mergeValues } from './merge.js';
import { reconcileSet } from './reconcile.js';
import { removeItems } from './remove.js';
import type { ApplyScope } from './scope.js';

/** A field another manager owns. */
export interface FieldConflict {
  readonly managerId: string;
  readonly owner: ManagerIdentity;
  readonly path: readonly string[];
}

/** An object in one version, with its type in it. */
interface Versioned {
  readonly apiVersion: string;
  readonly type: ApplyType;
  readonly value: unknown;
}

/** The object in the version, or undefined when that version is not served. */
function inVersion(scope: ApplyScope, object: Versioned, apiVersion: string, during = ''): Versioned | undefined {
  if (object.apiVersion === apiVersion) return object;
  const type = scope.typeOf(apiVersion);
  if (type === undefined) return undefined;
  try {
    return { apiVersion, type, value: scope.convert(withoutManaged(object.value as JsonObject), apiVersion) };
  } catch (error) {
    throw error instanceof ConversionFailed && during !== '' ? error.during(during) : error;
  }
}

/** The object in the version of the request, which is always served. */
export function requestVersioned(scope: ApplyScope, value: unknown): Versioned {
  const type = scope.typeOf(scope.apiVersion);
  if (type === undefined) throw new BrokenInvariant(`${scope.apiVersion} ${scope.kind} has no type`);
  return { apiVersion: scope.apiVersion, type, value };
}

/**
 * Managers of versions that are gone are dropped; the others are brought in line with today's schema. The same table
 * where there is nothing to do.
 */
function reconciled(scope: ApplyScope, managers: ManagerTable, live: Versioned): ManagerTable {
  let copy: ManagerTable | undefined;
  for (const [id, state] of managers) {
    // Here an object that cannot be converted is found out first.
    const type = inVersion(scope, live, state.apiVersion)?.type;
    const next = type && withSet(state, reconcileSet(state.set, type));
    if (next === state) continue;
    copy ??= new Map(managers);
    if (next === undefined) copy.delete(id);
    else copy.set(id, next);
  }
  return copy ?? managers;
}

function filtered(scope: ApplyScope, apiVersion: string, set: FieldSet): FieldSet {
  return scope.filterOf(apiVersion)?.(set) ?? set;
}

/** What a write changed in one version. */
interface Changes {
  /** What is there now and was not, or was another. */
  readonly changed: FieldSet;
  readonly removed: FieldSet;
  /** Both. */
  readonly touched: FieldSet;
}

function compareIn(scope: ApplyScope, apiVersion: string, before: Versioned, after: Versioned): Changes | undefined {
  const old = inVersion(scope, before, apiVersion);
  const next = inVersion(scope, after, apiVersion, 'failed to convert new object');
  if (old === undefined || next === undefined) return undefined;
  const comparison = compareValues(old.value, next.value, old.type, { areObjects: true });
  const changed = union(
    filtered(scope, apiVersion, comparison.modified),
    filtered(scope, apiVersion, comparison.added),
  );
  const removed = filtered(scope, apiVersion, comparison.removed);
  return { changed, removed, touched: union(changed, removed) };
}

interface Takeover {
  readonly managers: ManagerTable;
  readonly changes: Changes;
  readonly conflicts: readonly FieldConflict[];
}

/** Who writes. */
interface Acting {
  /** Keeps what it has; empty: nobody does. */
  readonly id: string;
  readonly force: boolean;
  /** Keeps what it has as long as it is there. */
  readonly keeper?: string;
}

/** What everybody but the acting manager keeps; changed fields are taken from them or, without force, conflicts. */
function takeOver(
  scope: ApplyScope,
  objects: { readonly before: Versioned; readonly after: Versioned },
  managers: ManagerTable,
  acting: Acting,
): Takeover {
  const { before, after } = objects;
  const own = compareIn(scope, scope.apiVersion, before, after) ?? NO_CHANGE;
  let others: Map<string, Changes | undefined> | undefined;
  const changesIn = (apiVersion: string): Changes | undefined => {
    if (apiVersion === scope.apiVersion) return own;
    others ??= new Map<string, Changes | undefined>();
    if (!others.has(apiVersion)) others.set(apiVersion, compareIn(scope, apiVersion, before, after));
    return others.get(apiVersion);
  };
  const conflicts: FieldConflict[] = [];
  const result: ManagerTable = new Map();
  for (const [id, state] of managers) {
    if (id === acting.id) {
      result.set(id, state);
      continue;
    }
    const changes = changesIn(state.apiVersion);
    if (changes === undefined) continue;
    if (!acting.force) {
      const taken = intersection(state.set, changes.changed);
      forEachPath(taken, (path) => conflicts.push({ managerId: id, owner: state, path }));
    }
    const lost = id === acting.keeper ? changes.removed : changes.touched;
    result.set(id, withSet(state, difference(state.set, lost)));
  }
  dropEmpty(result);
  return { managers: result, changes: own, conflicts };
}

const NO_CHANGE: Changes = { changed: EMPTY_SET, removed: EMPTY_SET, touched: EMPTY_SET };

/** The result of an update: what the others still own, and what was changed. */
export interface UpdateOutcome {
  readonly managers: ManagerTable;
  /** The fields the update now owns, besides what it owned before. */
  readonly changed: FieldSet;
}

/** An update takes every field it changes from everyone but its own manager, of the version it is made in. */
export function updateManagers(
  scope: ApplyScope,
  objects: { readonly before: unknown; readonly after: unknown },
  managers: ManagerTable,
  keeper: string,
): UpdateOutcome {
  const before = requestVersioned(scope, objects.before);
  const after = requestVersioned(scope, objects.after);
  const acting = { id: '', force: true, keeper };
  const taken = takeOver(scope, { before, after }, reconciled(scope, managers, before), acting);
  return { managers: taken.managers, changed: taken.changes.changed };
}

/** What an apply comes to. */
export type ApplyOutcome =
  | { readonly type: 'conflicts'; readonly conflicts: readonly FieldConflict[] }
  /** `object` undefined: the configuration changed nothing. */
  | { readonly type: 'applied'; readonly object: JsonObject | undefined; readonly managers: ManagerTable };

/** Who applies, and how. */
export interface ApplyingManager {
  readonly id: string;
  readonly identity: ManagerIdentity;
  readonly force: boolean;
}

/** Merges a configuration that fits its type into the live object. */
export function applyConfig(
  scope: ApplyScope,
  objects: { readonly live: JsonObject; readonly config: JsonObject },
  managers: ManagerTable,
  acting: ApplyingManager,
): ApplyOutcome {
  const { live, config } = objects;
  const current = requestVersioned(scope, live);
  const table = new Map(reconciled(scope, managers, current));
  const last = table.get(acting.id);
  const set = filtered(scope, scope.apiVersion, fieldSetOf(config, current.type));
  const state =
    last !== undefined && last.apiVersion === scope.apiVersion
      ? withSet(last, set)
      : newState(acting.identity, set, last?.time);
  table.set(acting.id, state);
  const merged = { ...current, value: mergeValues(live, config, current.type) };
  const pruned = last === undefined ? merged : prune(scope, merged, table, { last, applied: set });
  const taken = takeOver(scope, { before: current, after: pruned }, table, acting);
  if (taken.conflicts.length > 0) return { type: 'conflicts', conflicts: taken.conflicts };
  const changed = !deepEqual(live, pruned.value);
  return { type: 'applied', object: changed ? (pruned.value as JsonObject) : undefined, managers: taken.managers };
}

const PRUNING = 'failed to prune fields';
const ADDING_BACK = `${PRUNING}: failed add back owned items`;

/** Removes what the manager applied last time, does not apply now, and nobody else owns. */
function prune(
  scope: ApplyScope,
  merged: Versioned,
  managers: ManagerTable,
  change: { readonly last: ManagerState; readonly applied: FieldSet },
): Versioned {
  const { last, applied } = change;
  if (isEmptySet(last.set)) return merged;
  // The usual apply drops nothing; every item it had is then owned together with all that is above it.
  if (last.apiVersion === merged.apiVersion && isSubset(last.set, applied)) return merged;
  const old = inVersion(
    scope,
    merged,
    last.apiVersion,
    `${PRUNING}: failed to convert merged object to last applied version`,
  );
  if (old === undefined) return merged;
  const lastSet = withNamedFields(last.set, old.type);
  const stripped = { ...old, value: removeItems(old.value, lastSet, old.type) };
  const owned = addBackOwned(scope, old, stripped, managers);
  const remaining = addBackDangling(scope, old, owned, lastSet);
  return inVersion(scope, remaining, merged.apiVersion, PRUNING) ?? merged;
}

/** Puts back fields that have another owner: other managers, or the new configuration. */
function addBackOwned(scope: ApplyScope, merged: Versioned, pruned: Versioned, managers: ManagerTable): Versioned {
  const owned = new Map<string, FieldSet>();
  for (const { apiVersion, set } of managers.values())
    owned.set(apiVersion, union(owned.get(apiVersion) ?? EMPTY_SET, set));
  // The version pruned in comes first: other versions may need fields it puts back to be converted at all.
  const versions = [...owned.keys()].sort((a, b) => Number(b === pruned.apiVersion) - Number(a === pruned.apiVersion));
  let whole = merged;
  let rest = pruned;
  for (const version of versions) {
    const wholeIn = inVersion(
      scope,
      whole,
      version,
      `${ADDING_BACK}: failed to convert merged object at version ${version}`,
    );
    const restIn = inVersion(
      scope,
      rest,
      version,
      `${ADDING_BACK}: failed to convert pruned object at version ${version}`,
    );
    if (wholeIn === undefined || restIn === undefined) continue;
    whole = wholeIn;
    const { type } = whole;
    const inWhole = withNamedFields(fieldSetOf(whole.value, type), type);
    const inRest = withNamedFields(fieldSetOf(restIn.value, type), type);
    const kept = union(inRest, withNamedFields(owned.get(version) ?? EMPTY_SET, type));
    rest = { ...whole, value: removeItems(whole.value, difference(inWhole, kept), type) };
  }
  return rest;
}

/** Puts back what was never the manager's: fields that went only because they were inside something removed. */
function addBackDangling(scope: ApplyScope, merged: Versioned, pruned: Versioned, last: FieldSet): Versioned {
  const rest = inVersion(scope, pruned, merged.apiVersion);
  if (rest === undefined) return merged;
  const { type } = merged;
  const inRest = withNamedFields(fieldSetOf(rest.value, type), type);
  const inWhole = withNamedFields(fieldSetOf(merged.value, type), type);
  const gone = intersection(difference(inWhole, inRest), last);
  return { ...merged, value: removeItems(merged.value, gone, type) };
}

/** A path as conflicts name it. */
export function conflictField(conflict: FieldConflict): string {
  return pathText(conflict.path);
}
