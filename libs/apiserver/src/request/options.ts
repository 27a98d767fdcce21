import {
  apiErrors,
  fieldManagerMaxBytes,
  forbidden,
  notSupported,
  required,
  validateFieldManager,
} from '@capstan/meta';
import type { FieldError, UserInfo } from '@capstan/meta';
import { isTrue } from './request-info.js';
import { requireReadableSelectors } from './selectors.js';

/** Query options of get, list and watch. */
export interface ReadOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** Absent means the newest state; 0 any state. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly limit: number;
  readonly continueToken: string;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

/** Query options of create, update and patch. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  readonly fieldManager: string;
  readonly force: boolean | undefined;
}

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions' | 'ListOptions';

const META_GROUP = 'meta.k8s.io';
const INT64 = /^[+-]?\d+$/;
const MAX_INT64 = 9223372036854775807n;

/** Throws Invalid of the options kind when there is anything to complain of. */
export function requireValidOptions(kind: OptionsKind, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw apiErrors.invalid({ group: META_GROUP, kind }, '', errors);
}

/** Reads an integer as Go's strconv does, with its error text; values beyond 2^53 are only compared, so a number will do. */
export function parseInt64(text: string): number {
  if (!INT64.test(text))
    throw apiErrors.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = BigInt(text);
  if (value > MAX_INT64 || value < -MAX_INT64 - 1n) {
    throw apiErrors.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  }
  return Number(value);
}

function intOption(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  return text === null ? undefined : parseInt64(text);
}

/** Options of get, list and watch; the cross-field rules are those of the real server. */
export function parseReadOptions(query: URLSearchParams, isWatch: boolean): ReadOptions {
  const initial = query.get('sendInitialEvents');
  // In the order they are read in: the first that is no number is reported.
  const timeoutSeconds = intOption(query, 'timeoutSeconds');
  const options: ReadOptions = {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    limit: Math.max(0, intOption(query, 'limit') ?? 0),
    continueToken: query.get('continue') ?? '',
    timeoutSeconds,
    allowWatchBookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents: initial === null ? undefined : isTrue(initial),
  };
  const errors = isWatch ? watchOptionErrors(options) : listOptionErrors(options);
  // What cannot be read at all is reported before what does not go together.
  if (errors.length > 0) requireReadableSelectors(options.labelSelector, options.fieldSelector);
  requireValidOptions('ListOptions', errors);
  return options;
}

function watchOptionErrors(options: ReadOptions): FieldError[] {
  const match = options.resourceVersionMatch;
  const field = 'resourceVersionMatch';
  const errors: FieldError[] = [];
  if (options.sendInitialEvents === undefined) {
    if (match === '') return errors;
    errors.push(forbidden(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  } else if (match !== 'NotOlderThan') {
    errors.push(forbidden(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (match !== '' && match !== 'NotOlderThan') errors.push(notSupported(field, match, ['NotOlderThan']));
  return errors;
}

function listOptionErrors(options: ReadOptions): FieldError[] {
  const { resourceVersionMatch: match, resourceVersion, continueToken } = options;
  const field = 'resourceVersionMatch';
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '')
      errors.push(forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (continueToken !== '')
      errors.push(forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(notSupported(field, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

/** The manager recorded when the request names none: the client program of its User-Agent. */
export function managerFromUserAgent(userAgent: string | undefined, user: UserInfo | undefined): string {
  const product = (userAgent ?? user?.username ?? 'unknown').split('/')[0] ?? '';
  const printable = product.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '');
  return printable.slice(0, fieldManagerMaxBytes);
}

/** Values of `dryRun`, which may repeat. */
export function dryRunErrors(values: readonly string[]): FieldError[] {
  const bad = values.filter((value) => value !== 'All');
  return bad.length === 0 ? [] : [notSupported('dryRun', values, ['All'])];
}

/** What a patch may or must say besides, by its kind. */
function patchErrors(patch: 'plain' | 'apply' | undefined, query: URLSearchParams): FieldError[] {
  if (patch === 'plain' && query.has('force')) return [forbidden('force', 'may not be specified for non-apply patch')];
  const isNamed = (query.get('fieldManager') ?? '') !== '';
  return patch === 'apply' && !isNamed ? [required('fieldManager', 'is required for apply patch')] : [];
}

/** Options of create, update and patch. */
export function parseWriteOptions(
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  query: URLSearchParams,
  patch?: 'plain' | 'apply',
): WriteOptions {
  const dryRun = query.getAll('dryRun');
  const fieldValidation = query.get('fieldValidation') ?? '';
  const fieldManager = query.get('fieldManager') ?? '';
  const force = query.get('force');
  const errors = [
    ...patchErrors(patch, query),
    ...validateFieldManager(fieldManager, 'fieldManager'),
    ...dryRunErrors(dryRun),
  ];
  if (!isFieldValidation(fieldValidation)) {
    errors.push(notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  requireValidOptions(kind, errors);
  return {
    dryRun: dryRun.length > 0,
    fieldValidation: fieldValidation === 'Ignore' || fieldValidation === 'Strict' ? fieldValidation : 'Warn',
    fieldManager,
    force: force === null ? undefined : isTrue(force),
  };
}

function isFieldValidation(value: string): boolean {
  return value === '' || value === 'Ignore' || value === 'Strict' || value === 'Warn';
}
