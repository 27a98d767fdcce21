import { FieldFates } from '@capstan/convert';
import type { Claim, IssueCode, Side } from '@capstan/convert';
import { healthCheckMap } from '@capstan/convert/machine-api';
import type { ConversionIssue } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { advice } from './advice.js';
import type { BulkConverter } from './convert-all.js';
import type { Entry, EntryError } from './entry.js';
import { API_NAMES, kindOf, nameOf, placeText, textAt } from './model.js';
import type { Api } from './model.js';
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
  /** Fields that follow from the cluster or are always the same: they were compared, and are not kept. */
  readonly derived: readonly string[];
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

/** What became of all that was read. */
export interface Report {
  readonly to: Api;
  readonly totals: Totals;
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
    return advice(issue, entry, this.#claims(entry)?.[this.#from] ?? [], this.#to);
  }

  get #from(): Side {
    return this.#to === 'cluster-api' ? 'left' : 'right';
  }

  #claims({ platform, source }: Entry): Readonly<Record<Side, readonly Claim[]>> | undefined {
    const kind = kindOf(source.object);
    if (kind === 'MachineHealthCheck') return healthCheckMap.claims;
    const found = platform === undefined ? undefined : this.#converter.converterFor(platform);
    if (found === undefined) return undefined;
    return kind === 'Machine' || kind === 'MachineSet' || kind === 'ControlPlaneMachineSet'
      ? found.claimsOf(kind)
      : undefined;
  }

  #fields(entry: Entry): Pick<ReportedObject, 'added' | 'derived' | 'mapped'> {
    const claims = entry.result === 'skipped' ? undefined : this.#claims(entry);
    if (claims === undefined) return { mapped: [], derived: [], added: [] };
    const key = `${entry.platform ?? ''}/${kindOf(entry.source.object)}`;
    const fates = (side: Side): FieldFates => {
      const known = this.#fates.get(`${key}/${side}`) ?? new FieldFates(claims[side]);
      this.#fates.set(`${key}/${side}`, known);
      return known;
    };
    const from = this.#from;
    const read = fates(from).of(
      entry.parts ?? (from === 'left' ? entry.source.object : { check: entry.source.object }),
    );
    const written =
      entry.objects.length === 0 ? [] : fates(from === 'left' ? 'right' : 'left').of(this.#written(entry));
    const isDerived = (fate: string): boolean => fate === 'derived' || fate === 'constant';
    return {
      mapped: read.filter(({ fate }) => fate === 'mapped' || fate === 'preserved').map(({ path }) => path),
      derived: read.filter(({ fate }) => isDerived(fate)).map(({ path }) => path),
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
