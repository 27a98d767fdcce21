/** `metadata.managedFields` and the table of managers it stands for. */
import { compareBytes, copyMembers, goQuote, instantToMs, managerText, parseTime, Recent, setOwn } from '@capstan/meta';
import type { JsonObject, ManagedFieldsEntry } from '@capstan/meta';
import { isEmptySet } from './field-set.js';
import type { FieldSet } from './field-node.js';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.js';
import { goJsonString } from './go-json.js';

/** How a manager writes. */
export type ManagerOperation = 'Apply' | 'Update';

/** Who a manager is. Appliers are the same in every version. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: ManagerOperation;
  readonly apiVersion: string;
  readonly subresource: string;
}

/** One manager and what it owns. */
export interface ManagerState extends ManagerIdentity {
  readonly set: FieldSet;
  /** When it last changed something. */
  readonly time: string | undefined;
  /** The entry it was read from, as long as nothing about it changed. */
  readonly source?: ManagedFieldsEntry | undefined;
}

/** All managers of an object by their identifiers. */
export type ManagerTable = Map<string, ManagerState>;

/** Entries that cannot be read; the message is the server's. */
export class ManagedFieldsError extends Error {}

/** An identity with its identifier. */
interface Identified extends ManagerIdentity {
  readonly id: string;
}

const MAX_MANAGERS = 1_000;
/** Few programs write, and all the time: the identifiers of each, by its name. */
const identified = new Map<string, Identified[]>();

/** The identifier of a manager: the JSON of what makes it itself. */
export function managerId(identity: ManagerIdentity): string {
  const { manager, operation, apiVersion, subresource } = identity;
  let known = identified.get(manager);
  for (const each of known ?? [])
    if (each.operation === operation && each.apiVersion === apiVersion && each.subresource === subresource)
      return each.id;
  const id = identifierText(identity);
  if (identified.size >= MAX_MANAGERS || (known?.length ?? 0) >= MAX_MANAGERS) {
    identified.clear();
    known = undefined;
  }
  if (known === undefined) identified.set(manager, (known = []));
  known.push({ manager, operation, apiVersion, subresource, id });
  return id;
}

function identifierText(identity: ManagerIdentity): string {
  const parts: string[] = [];
  if (identity.manager !== '') parts.push(`"manager":${goJsonString(identity.manager)}`);
  parts.push(`"operation":"${identity.operation}"`);
  if (identity.operation === 'Update' && identity.apiVersion !== '') {
    parts.push(`"apiVersion":${goJsonString(identity.apiVersion)}`);
  }
  if (identity.subresource !== '') parts.push(`"subresource":${goJsonString(identity.subresource)}`);
  return `{${parts.join(',')}}`;
}

/** A manager as conflicts name it: identifiers carry neither the time nor an applier's version. */
export function managerName(identity: ManagerIdentity): string {
  return managerText({
    manager: identity.manager,
    operation: identity.operation,
    apiVersion: identity.apiVersion,
    subresource: identity.subresource,
  });
}

/** As many as the objects have that are being worked on. */
const RECENT_ENTRIES = 4_096;
/** Managers already read with their identifiers, by the entries they were read from, which cannot change. */
const readEntries = new Recent<ManagedFieldsEntry, readonly [id: string, state: ManagerState]>(RECENT_ENTRIES);

/** Reads the entries. Throws {@link ManagedFieldsError}. */
export function decodeManaged(entries: readonly ManagedFieldsEntry[] | null | undefined): ManagerTable {
  const managers: ManagerTable = new Map();
  if (entries === null || entries === undefined) return managers;
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index] as ManagedFieldsEntry;
    let read = readEntries.get(entry);
    if (read === undefined) {
      const state = decodeEntry(entry, index);
      read = [managerId(state), state];
      if (Object.isFrozen(entry)) readEntries.set(entry, read);
    }
    managers.set(read[0], read[1]);
  }
  return managers;
}

function decodeEntry(entry: ManagedFieldsEntry, index: number): ManagerState {
  const { manager = '', operation, apiVersion = '', subresource = '', time } = entry;
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new ManagedFieldsError('operation must be `Apply` or `Update`');
  }
  if (apiVersion === '') throw new ManagedFieldsError('apiVersion must not be empty');
  const set = decodeFields(entry, index);
  return { manager, operation, apiVersion, subresource, set, time: time ?? undefined, source: entry };
}

function decodeFields({ fieldsType = '', fieldsV1 }: ManagedFieldsEntry, index: number): FieldSet {
  if (fieldsType === '') throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== 'FieldsV1') {
    throw new ManagedFieldsError(`invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${index}`);
  }
  try {
    return decodeFieldsV1(fieldsV1);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ManagedFieldsError(`error decoding versioned set: error decoding set: ${error.message}`);
  }
}

/** Writes the entries in their order; undefined when there is none. Entries nothing happened to are the ones read. */
export function encodeManaged(managers: ManagerTable): ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  const entries: ManagedFieldsEntry[] = [];
  for (const state of managers.values()) entries.push(encodeEntry(state));
  return entries.length === 1 ? entries : sortEntries(entries);
}

function encodeEntry(state: ManagerState): ManagedFieldsEntry {
  const { source, time } = state;
  const fieldsV1 = encodeFieldsV1(state.set);
  if (source !== undefined && isWritten(source.fieldsV1, fieldsV1)) return source;
  const { manager, operation, apiVersion, subresource } = state;
  // Written with every object: one field after the other takes less than putting parts together.
  const entry: ManagedFieldsEntry = manager === '' ? { operation, apiVersion } : { manager, operation, apiVersion };
  if (time !== undefined) entry.time = time;
  entry.fieldsType = 'FieldsV1';
  entry.fieldsV1 = fieldsV1;
  if (subresource !== '') entry.subresource = subresource;
  return entry;
}

const RECENT_WRITING = 512;
/** What was stored by others than this server, and whether it is as this server would write it. */
const othersWriting = new Recent<object, boolean>(RECENT_WRITING);

/** Whether a set is stored just as it would be written. */
function isWritten(stored: unknown, written: Readonly<Record<string, unknown>>): boolean {
  if (stored === written) return true;
  if (typeof stored !== 'object' || stored === null || !Object.isFrozen(stored)) return false;
  let isSame = othersWriting.get(stored);
  if (isSame === undefined) othersWriting.set(stored, (isSame = JSON.stringify(stored) === JSON.stringify(written)));
  return isSame;
}

const RECENT_TIMES = 64;
/** What is written in the same second comes with the same time. */
const readTimes = new Recent<string, number>(RECENT_TIMES);

/** Seconds since the epoch; no time counts as the epoch. */
export function secondsOf(time: string | undefined): number {
  if (time === undefined) return 0;
  let seconds = readTimes.get(time);
  if (seconds === undefined) readTimes.set(time, (seconds = Math.floor(instantToMs(parseTime(time)) / 1000)));
  return seconds;
}

const SORTED_BY = ['manager', 'apiVersion', 'subresource'] as const;

function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  const first = compareBytes(a.operation ?? '', b.operation ?? '') || secondsOf(a.time) - secondsOf(b.time);
  if (first !== 0) return first;
  for (const field of SORTED_BY) {
    const order = compareBytes(a[field] ?? '', b[field] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

const FEW_ENTRIES = 16;

/** In place. Few come out of order: a write moves one manager, and the last to write is mostly the last already. */
function sortEntries(entries: ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  if (entries.length > FEW_ENTRIES) return entries.sort(compareEntries);
  for (let at = 1; at < entries.length; at++) {
    const entry = entries[at] as ManagedFieldsEntry;
    let place = at;
    for (; place > 0; place--) {
      const before = entries[place - 1] as ManagedFieldsEntry;
      if (compareEntries(before, entry) <= 0) break;
      entries[place] = before;
    }
    entries[place] = entry;
  }
  return entries;
}

/** The manager with another set. */
export function withSet(state: ManagerState, set: FieldSet): ManagerState {
  return set === state.set ? state : newState(state, set, state.time);
}

/** The manager as of another time. */
export function withTime(state: ManagerState, time: string | undefined): ManagerState {
  return time === state.time ? state : newState(state, state.set, time);
}

/** A manager that something happened to. */
export function newState(identity: ManagerIdentity, set: FieldSet, time: string | undefined): ManagerState {
  const { manager, operation, apiVersion, subresource } = identity;
  return { manager, operation, apiVersion, subresource, set, time, source: undefined };
}

/** Drops the managers that own nothing. */
export function dropEmpty(managers: ManagerTable): void {
  for (const [id, state] of managers) if (isEmptySet(state.set)) managers.delete(id);
}

/** Whether the list resets field management: empty, or one empty entry. */
export function isReset(entries: readonly ManagedFieldsEntry[] | null | undefined): boolean {
  if (entries === undefined || entries === null) return false;
  const [first] = entries;
  if (first === undefined) return true;
  return (
    entries.length === 1 && Object.values(first).every((value) => value === undefined || value === '' || value === null)
  );
}

/** The object without the list, which does not manage itself. */
export function withoutManaged(object: JsonObject): JsonObject {
  const metadata = object['metadata'] as JsonObject | undefined;
  if (metadata?.['managedFields'] === undefined) return object;
  const copy = copyMembers(object);
  const rest: JsonObject = {};
  for (const key in metadata) if (key !== 'managedFields') setOwn(rest, key, metadata[key]);
  copy['metadata'] = rest;
  return copy;
}
