/** Rules about what there may be one of. */
import type { JsonObject } from '@capstan/meta';
import type { Path, PathLike, Step } from './path.js';
import { claimPath, getAt, isRecord, parsePath, setAt, stepInto } from './path.js';
import { listSource } from './list-rules.js';
import { bothOutward, isEmpty, runRules } from './record-rules.js';
import type { Rule, Scope, Side } from './rule.js';
import { addError } from './rule.js';

/** A list of at most one item on one side, whose fields are those of a record on the other. */
export interface ListOfOne<C> {
  /** The side that has the list. */
  readonly side: Side;
  readonly list: PathLike;
  /** Where the record is on the other side; the empty path is the record the list is in. */
  readonly record: PathLike;
  /** Between the item and the record, left and right as everywhere. */
  readonly rules: readonly Rule<C>[];
  /** Why there cannot be more of them: the error for the second item. */
  readonly more: string;
  /** Whether an absent list is read as one of an empty item, so that its rules can say what is missing. */
  readonly isRequired?: boolean;
}

/** The one item of the source's list, and where it is; `undefined` when there is none, or what is there is none. */
function oneItem<C>(
  scope: Scope<C>,
  list: Path,
  { isRequired, more }: ListOfOne<C>,
): { readonly source: JsonObject; readonly at: Step } | undefined {
  const items = listSource(scope, list) ?? [];
  const before = stepInto(scope.at, list);
  const at: Step = { before, kind: 'index', name: '0' };
  if (items.length > 1) addError({ ...scope, at: { before, kind: 'index', name: '1' } }, [], more);
  const source = items.length === 0 && isRequired === true ? {} : items[0];
  if (source === undefined) return undefined;
  if (isRecord(source)) return { source, at };
  addError({ ...scope, at }, [], 'must be an object');
  return undefined;
}

/** The record of a side that has no list; the place itself when the path is empty. */
function recordOf<C>(
  scope: Scope<C>,
  path: Path,
): { readonly source: JsonObject; readonly at: Step | undefined } | undefined {
  const source = path.length === 0 ? scope.source : (getAt(scope.source, path) ?? {});
  if (isRecord(source)) return { source, at: stepInto(scope.at, path) };
  addError(scope, path, 'must be an object');
  return undefined;
}

/** A list here that is a record there, as there is but one of them. A second item is an error. */
export function listOfOne<C = unknown>(declaration: ListOfOne<C>): Rule<C> {
  const { rules, side } = declaration;
  const list = parsePath(declaration.list);
  const record = parsePath(declaration.record);
  const prefixes: Record<Side, string> = { left: claimPath(record), right: claimPath(record) };
  prefixes[side] = `${claimPath(list)}[]`;
  const convert = (scope: Scope<C>): void => {
    const { from, to } = scope.run;
    const found = from === side ? oneItem(scope, list, declaration) : recordOf(scope, record);
    if (found === undefined) return;
    const there = to === side ? undefined : record.length === 0 ? scope.target : getAt(scope.target, record);
    const target = isRecord(there) ? there : {};
    runRules(rules, { run: scope.run, source: found.source, target, restored: undefined, at: found.at });
    if (there !== undefined || isEmpty(target)) return;
    if (to === side) setAt(scope.target, list, [target]);
    else setAt(scope.target, record, target);
  };
  return { claims: bothOutward(rules, prefixes), convert };
}

/**
 * A record that has a meaning even when it is empty: where the source has one, the target gets one.
 */
export function presentNested<C = unknown>(left: PathLike, right: PathLike, rules: readonly Rule<C>[]): Rule<C> {
  const paths = { left: parsePath(left), right: parsePath(right) };
  const claims = bothOutward(rules, { left: claimPath(paths.left), right: claimPath(paths.right) });
  const convert = (scope: Scope<C>): void => {
    const { from, to } = scope.run;
    const source = getAt(scope.source, paths[from]);
    if (source === undefined) return;
    if (!isRecord(source)) {
      addError(scope, paths[from], 'must be an object');
      return;
    }
    const target: JsonObject = {};
    const restored = getAt(scope.restored, paths[to]);
    runRules(rules, { run: scope.run, source, target, restored, at: stepInto(scope.at, paths[from]) });
    setAt(scope.target, paths[to], target);
  };
  return { claims, convert };
}
