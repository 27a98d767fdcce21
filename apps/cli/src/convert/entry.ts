import type { IssueCode } from '@capstan/convert';
import type { ConversionIssue, MachineContext } from '@capstan/convert/machine-api';
import { objectName } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import type { Source } from './model.js';

/** Why an object cannot be converted. */
export interface EntryError extends ConversionIssue {
  /** What to do about it, if the code that found it knows better than the advice for its field. */
  readonly change?: string | undefined;
}

/** What became of an object that was read. */
export interface Entry {
  readonly source: Source;
  /** As the Infrastructure names it. */
  readonly platform?: string | undefined;
  readonly result: 'converted' | 'refused' | 'skipped';
  /** What it was converted to, in the order in which they are to be applied. */
  readonly objects: readonly JsonObject[];
  readonly errors: readonly EntryError[];
  readonly warnings: readonly ConversionIssue[];
  /** Why it was left out. */
  readonly reason?: string | undefined;
  /** What it was converted in. */
  readonly context?: MachineContext | undefined;
  /** What was given to the conversion, by part, where it was more than the object. */
  readonly parts?: Readonly<Record<string, JsonObject>> | undefined;
}

/** What is wrong with an object, and what to do about it. */
export interface Wrong {
  /** `Invalid` when not given. */
  readonly code?: IssueCode;
  readonly path: string;
  readonly message: string;
  readonly change: string;
  readonly platform?: string | undefined;
}

/** An object that cannot be converted, for one reason. */
export function refusedEntry(source: Source, { change, code = 'Invalid', message, path, platform }: Wrong): Entry {
  const errors = [{ code, object: objectName(source.object), path, message, change }];
  return { source, platform, result: 'refused', objects: [], errors, warnings: [] };
}

/** An object that nothing is to be done with. */
export function skippedEntry(source: Source, reason: string): Entry {
  return { source, result: 'skipped', objects: [], errors: [], warnings: [], reason };
}
