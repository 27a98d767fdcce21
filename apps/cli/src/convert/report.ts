import { FieldFates } from '@capstan/convert';
import type { IssueCode, Side, TwoWayMap } from '@capstan/convert';
import { healthCheckMap } from '@capstan/convert/machine-api';
import type { ConversionIssue, MachineContext } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { advice } from './advice.js';
import type { BulkConverter } from './convert-all.js';
import type { Entry, EntryError } from './entry.js';
import { API_NAMES, kindOf, nameOf, placeText, textAt } from './model.js';
import type { Api, Source, Unread } from './model.js';
import type { NeededSecret } from './order.js';

/** Something about a field. */
export interface ReportedIssue {
  readonly code: IssueCode;
  /** Where it is not the object itself: `AWSMachine/worker-1`. */
  readonly object?: string;
  readonly path: string;
  readonly message: string;
}

/** What cannot be converted, and what to do about it. */
export interface Refusal extends ReportedIssue {
  readonly change: string;
}

/** The report on an object that was read. */
export interface ReportedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly source: string;
  readonly platform?: string;
  readonly result: Entry['result'];
  /** Why it was left out. */
  readonly reason?: string;
  readonly becomes: readonly string[];
  /** Fields that are on the other side too. */
  readonly mapped: readonly string[];
  /** Fields that follow from the cluster or are always the same: they were compared, and come back from there. */
  readonly derived: readonly string[];
  /** Fields of this one object, or without a meaning: neither compared nor kept, and not there when it comes back. */
  readonly own: readonly string[];
  /** Fields of what is written that follow from the cluster or are always the same. */
  readonly added: readonly string[];
  readonly warnings: readonly ReportedIssue[];
  readonly refusals: readonly Refusal[];
}

/** How many. */
export interface Totals {
  readonly objects: number;
  readonly converted: number;
  readonly refused: number;
  readonly skipped: number;
  readonly warnings: number;
  readonly manifests: number;
}

/** An object that was given to compare others with. */
export interface ReportedSource {
  readonly kind: string;
  readonly name: string;
  readonly source: string;
}

/** Objects that are of neither API. */
export interface ForeignKind {
  readonly kind: string;
  readonly count: number;
}

/** What became of all that was read. */
export interface Report {
  readonly to: Api;
  readonly totals: Totals;
  /** What values were compared with. */
  readonly comparedWith: readonly ReportedSource[];
  /** What values could not be compared with, as it was not given. */
  readonly notGiven: readonly string[];
  /** Objects of neither API, which are left out. */
  readonly foreign: readonly ForeignKind[];
  /** Files of directories that could not be read. */
  readonly unread: readonly Unread[];
  /** Whether what was converted is written; it is not when it was only checked, or something was refused. */
  readonly written: boolean;
  /** Secrets that what is written names: they have to be there. */
  readonly needs: readonly NeededSecret[];
  readonly objects: readonly ReportedObject[];
}

/** The totals alone, which take little time. */
export function totalsOf(entries: readonly Entry[]): Totals {
  const count = (result: Entry['result']): number => entries.filter((entry) => entry.result === result).length;
  return {
    objects: entries.length,
    converted: count('converted'),
    refused: count('refused'),
    skipped: count('skipped'),
    warnings: entries.reduce((sum, { warnings }) => sum + warnings.length, 0),
    manifests: entries.reduce((sum, { objects }) => sum + objects.length, 0),
  };
}

/** Reports what becomes of the fields of objects. */
export class Reporter {
  readonly #converter: BulkConverter;
  readonly #to: Api;
  readonly #fates = new Map<string, FieldFates>();

  constructor(converter: BulkConverter, to: Api) {
    this.#converter = converter;
    this.#to = to;
  }

  /** All that there is to say of an entry. */
  of(entry: Entry): ReportedObject {
    const { errors, objects, platform, reason, source, warnings } = entry;
    const { object } = source;
    const namespace = textAt(object, 'metadata', 'namespace');
    const fields = this.#fields(entry);
    return {
      apiVersion: textAt(object, 'apiVersion'),
      kind: kindOf(object),
      ...(namespace === '' ? {} : { namespace }),
      name: nameOf(object),
      source: placeText(source.place),
      ...(platform === undefined ? {} : { platform }),
      result: entry.result,
      ...(reason === undefined ? {} : { reason }),
      becomes: objects.map((each) => `${kindOf(each)}/${nameOf(each)}`),
      ...fields,
      warnings: warnings.map((issue) => issueOf(issue, object)),
      refusals: errors.map((issue) => ({
        ...issueOf(issue, object),
        change: this.adviceOn(issue, entry),
      })),
    };
  }

  /** What to change so that an object is not refused. */
  adviceOn(issue: EntryError, entry: Entry): string {
    return advice(issue, entry, this.#map(entry)?.claims[this.#from] ?? [], this.#to);
  }

  get #from(): Side {
    return this.#to === 'cluster-api' ? 'left' : 'right';
  }

  #map({ platform, source }: Entry): TwoWayMap<MachineContext> | undefined {
    const kind = kindOf(source.object);
    if (kind === 'MachineHealthCheck') return healthCheckMap;
    const found = platform === undefined ? undefined : this.#converter.converterFor(platform);
    if (found === undefined) return undefined;
    return kind === 'Machine' || kind === 'MachineSet' || kind === 'ControlPlaneMachineSet'
      ? found.mapOf(kind)
      : undefined;
  }

  #fields(entry: Entry): Pick<ReportedObject, 'added' | 'derived' | 'mapped' | 'own'> {
    const map = entry.result === 'skipped' ? undefined : this.#map(entry);
    if (map === undefined) return { mapped: [], derived: [], own: [], added: [] };
    const { claims } = map;
    const key = `${entry.platform ?? ''}/${kindOf(entry.source.object)}`;
    const fates = (side: Side): FieldFates => {
      const known = this.#fates.get(`${key}/${side}`) ?? new FieldFates(claims[side]);
      this.#fates.set(`${key}/${side}`, known);
      return known;
    };
    const from = this.#from;
    const object = entry.parts ?? (from === 'left' ? entry.source.object : { check: entry.source.object });
    const read = fates(from).of(object);
    const { context } = entry;
    // Only what is in the normal form comes back.
    const back = context === undefined ? undefined : fates(from).of(map.normalise(from, object, context));
    const returned = new Set(back?.map(({ path }) => path));
    const isBack = (path: string): boolean => back === undefined || returned.has(path);
    const written =
      entry.objects.length === 0 ? [] : fates(from === 'left' ? 'right' : 'left').of(this.#written(entry));
    const isDerived = (fate: string): boolean => fate === 'derived' || fate === 'constant';
    const isMapped = (fate: string): boolean => fate === 'mapped' || fate === 'preserved';
    const issues = new Set([...entry.errors, ...entry.warnings].map(({ path }) => path));
    const isNamed = (path: string): boolean => issues.has(from === 'left' ? path : path.slice(path.indexOf('.') + 1));
    return {
      mapped: read.filter(({ fate, path }) => isMapped(fate) && isBack(path)).map(({ path }) => path),
      derived: read.filter(({ fate, path }) => isDerived(fate) && isBack(path)).map(({ path }) => path),
      own: read
        .filter(({ fate, path }) => (isMapped(fate) || isDerived(fate)) && !isBack(path) && !isNamed(path))
        .map(({ path }) => path),
      added: written.filter(({ fate }) => isDerived(fate)).map(({ path }) => path),
    };
  }

  /** What was written as the map has it: by part where it is of Cluster API. */
  #written({ objects, source }: Entry): JsonObject {
    const [first = {}, second = {}] = objects;
    if (this.#to === 'machine-api') return first;
    switch (kindOf(source.object)) {
      case 'Machine':
        return { infrastructure: first, machine: second };
      case 'MachineSet':
        return { template: first, machineSet: second };
      case 'ControlPlaneMachineSet':
        return { template: first, set: second };
      default:
        return { check: first };
    }
  }
}

function issueOf({ code, message, object, path }: ConversionIssue, source: JsonObject): ReportedIssue {
  const isOwn = object.kind === kindOf(source) && object.name === nameOf(source);
  return { code, ...(isOwn || object.kind === '' ? {} : { object: `${object.kind}/${object.name}` }), path, message };
}

/** Names an object that others were compared with. */
export function sourceOf({ object, place }: Source): ReportedSource {
  return { kind: kindOf(object), name: nameOf(object), source: placeText(place) };
}

/** How many objects of each kind are of neither API, most of them first. */
export function foreignKinds(foreign: ReadonlyMap<string, number>): ForeignKind[] {
  return [...foreign].map(([kind, count]) => ({ kind, count })).toSorted((a, b) => b.count - a.count);
}

/** `2 of 3 objects can be converted to Cluster API, 1 cannot`. */
export function totalsText({ converted, objects, refused, skipped, warnings }: Totals, to: Api): string {
  const parts = [
    `${counted(converted, 'object')} of ${objects} ${converted === 1 ? 'converts' : 'convert'} to ${API_NAMES[to]}`,
    ...(refused === 0 ? [] : [`${refused} cannot be converted`]),
    ...(skipped === 0 ? [] : [`${skipped} left out`]),
    ...(warnings === 0 ? [] : [counted(warnings, 'warning')]),
  ];
  return parts.join(', ');
}

/** `1 object`, `2 objects`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
