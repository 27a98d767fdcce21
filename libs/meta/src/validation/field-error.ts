/** Errors about one field of an object, worded as `k8s.io/apimachinery/pkg/util/validation/field` words them. */
import { goQuote } from '../json/go-text.js';
import { goJson, goNumber } from './go-format.js';

/** What is wrong with the field. */
export type FieldErrorType =
  | 'Required'
  | 'Invalid'
  | 'NotSupported'
  | 'Duplicate'
  | 'Forbidden'
  | 'TooLong'
  | 'TooShort'
  | 'TooMany'
  | 'TooFew'
  | 'NotFound'
  | 'TypeInvalid'
  | 'InternalError';

/** The cause type a field error has in a Status. */
export type FieldErrorReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooShort'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'FieldValueNotFound'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** One complaint about one field. `badValue` {@link omitValue} leaves the value out of the text. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly badValue?: unknown;
  readonly detail: string;
}

/** As a bad value: print none (`spec: Invalid value: detail`). */
export const omitValue: unique symbol = Symbol('omit value');

/** A bad value whose text is already rendered, for values that Go prints in some other way than JSON. */
export class RawValue {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

interface TypeText {
  readonly reason: FieldErrorReason;
  readonly title: string;
  readonly showsValue: boolean;
}

const texts: Readonly<Record<FieldErrorType, TypeText>> = {
  Required: { reason: 'FieldValueRequired', title: 'Required value', showsValue: false },
  Invalid: { reason: 'FieldValueInvalid', title: 'Invalid value', showsValue: true },
  NotSupported: { reason: 'FieldValueNotSupported', title: 'Unsupported value', showsValue: true },
  Duplicate: { reason: 'FieldValueDuplicate', title: 'Duplicate value', showsValue: true },
  Forbidden: { reason: 'FieldValueForbidden', title: 'Forbidden', showsValue: false },
  TooLong: { reason: 'FieldValueTooLong', title: 'Too long', showsValue: false },
  TooShort: { reason: 'FieldValueTooShort', title: 'Too short', showsValue: false },
  TooMany: { reason: 'FieldValueTooMany', title: 'Too many', showsValue: true },
  TooFew: { reason: 'FieldValueTooFew', title: 'Too few', showsValue: true },
  NotFound: { reason: 'FieldValueNotFound', title: 'Not found', showsValue: true },
  TypeInvalid: { reason: 'FieldValueTypeInvalid', title: 'Invalid value', showsValue: true },
  InternalError: { reason: 'InternalError', title: 'Internal error', showsValue: false },
};

/** The root of an object has no path; Go prints its nil path so. */
function path(field: string): string {
  return field === '' ? '<nil>' : field;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** The field has no value and needs one. */
export function required(field: string, detail = ''): FieldError {
  return { type: 'Required', field: path(field), badValue: '', detail };
}

/** The value is malformed or out of bounds. */
export function invalid(field: string, badValue: unknown, detail: string): FieldError {
  return { type: 'Invalid', field: path(field), badValue, detail };
}

/** The value is none of an enumeration's; `supported` is printed in the order given. */
export function notSupported(field: string, badValue: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
  return { type: 'NotSupported', field: path(field), badValue, detail };
}

/** The value must be unique and is not. */
export function duplicate(field: string, badValue: unknown): FieldError {
  return { type: 'Duplicate', field: path(field), badValue, detail: '' };
}

/** The value is well-formed but not permitted here. */
export function forbidden(field: string, detail: string): FieldError {
  return { type: 'Forbidden', field: path(field), badValue: '', detail };
}

/** The value has more than `maxLength` bytes; the value itself is never printed. A negative limit is not named. */
export function tooLong(field: string, _badValue: unknown, maxLength: number): FieldError {
  const detail = maxLength < 0 ? 'value is too long' : `may not be more than ${counted(maxLength, 'byte')}`;
  return { type: 'TooLong', field: path(field), badValue: '<value omitted>', detail };
}

/** As {@link tooLong}, where the limit counts characters. */
export function tooLongCharacters(field: string, _badValue: unknown, maxLength: number): FieldError {
  const detail = maxLength < 0 ? 'value is too long' : `may not be more than ${counted(maxLength, 'character')}`;
  return { type: 'TooLong', field: path(field), badValue: '<value omitted>', detail };
}

/** The value has fewer than `minLength` characters. */
export function tooShort(field: string, badValue: unknown, minLength: number): FieldError {
  const detail = minLength < 0 ? 'value is too short' : `must be at least ${counted(minLength, 'character')}`;
  return { type: 'TooShort', field: path(field), badValue, detail };
}

/** The list has `actual` items (negative: unknown) where at most `max` are allowed. */
export function tooMany(field: string, actual: number, max: number): FieldError {
  const detail = max < 0 ? 'has too many items' : `must have at most ${counted(max, 'item')}`;
  return { type: 'TooMany', field: path(field), badValue: actual < 0 ? omitValue : actual, detail };
}

/** The list has `actual` items where at least `min` are needed. */
export function tooFew(field: string, actual: number, min: number): FieldError {
  const detail = min < 0 ? 'has too few items' : `must have at least ${counted(min, 'item')}`;
  return { type: 'TooFew', field: path(field), badValue: actual, detail };
}

/** The value names something that does not exist. */
export function notFound(field: string, badValue: unknown): FieldError {
  return { type: 'NotFound', field: path(field), badValue, detail: '' };
}

/** The value is not of the schema's type. */
export function typeInvalid(field: string, badValue: unknown, detail: string): FieldError {
  return { type: 'TypeInvalid', field: path(field), badValue, detail };
}

/** Checking the field failed for a reason that is not the user's. */
export function internalError(field: string, detail: string): FieldError {
  return { type: 'InternalError', field: path(field), detail };
}

function renderValue(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return goNumber(value);
  return value instanceof RawValue ? value.text : goJson(value);
}

/** The message without the field: what a Status cause carries. */
export function fieldErrorBody(error: FieldError): string {
  const { title, showsValue } = texts[error.type];
  const head = showsValue && error.badValue !== omitValue ? `${title}: ${renderValue(error.badValue)}` : title;
  return error.detail === '' ? head : `${head}: ${error.detail}`;
}

/** The whole message: `spec.replicas: Invalid value: -1: must be greater than or equal to 0`. */
export function fieldErrorMessage(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** The cause type of a field error in a Status. */
export function fieldErrorReason(type: FieldErrorType): FieldErrorReason {
  return texts[type].reason;
}

/**
 * Bounds of what one answer lists: a short object can have a long message for each of its bytes. kube-apiserver lists all,
 * and from some thousands on it runs out of the time of the request and answers 504.
 */
export const MAX_LISTED_ERRORS = 4_000;
const MAX_LISTED_CHARACTERS = 4 * 1024 * 1024;

/** The errors that an answer lists, at least one, and how many it only counts. */
export function listedErrors(errors: readonly FieldError[]): { listed: readonly FieldError[]; more: number } {
  let [count, characters] = [0, 0];
  while (count < Math.min(errors.length, MAX_LISTED_ERRORS) && characters < MAX_LISTED_CHARACTERS) {
    characters += fieldErrorMessage(errors[count] as FieldError).length;
    count += 1;
  }
  return { listed: count === errors.length ? errors : errors.slice(0, count), more: errors.length - count };
}

/** Several errors as one text: alone as it is, several as `[e1, e2]`; equal messages count once. */
export function fieldErrorsMessage(errors: readonly FieldError[]): string {
  const { listed, more } = listedErrors(errors);
  const messages = [...new Set(listed.map(fieldErrorMessage))];
  if (more > 0) messages.push(`and ${more} more errors`);
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`;
}

/** `spec` + `replicas` → `spec.replicas`; the root is the empty string. */
export function joinField(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}

/** `spec.containers` + 0 → `spec.containers[0]`. */
export function indexField(parent: string, index: number): string {
  return `${parent}[${index}]`;
}

/** `metadata.labels` + `a/b` → `metadata.labels[a/b]`. */
export function keyField(parent: string, key: string): string {
  return `${parent}[${key}]`;
}

/** The constructors by name, for callers outside: `fieldErrors.required('spec.a')`. */
export const fieldErrors = {
  duplicate,
  forbidden,
  internalError,
  invalid,
  notFound,
  notSupported,
  required,
  tooFew,
  tooLong,
  tooLongCharacters,
  tooMany,
  tooShort,
  typeInvalid,
} as const;
