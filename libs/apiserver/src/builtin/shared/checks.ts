/** Checks that add field errors to a list; the building blocks of every kind's validation. */
import {
  invalid,
  keyField,
  notSupported,
  required,
  validateAnnotations,
  validateLabelSelector,
  validateLabels,
  pushAll,
} from '@capstan/meta';
import type { FieldError, JsonObject, LabelSelector } from '@capstan/meta';
import { typedText } from '../../codec/index.js';
import { equalJson, integer, records, text, textMap, texts } from './json.js';
import { qualifiedNameErrors } from './names.js';
import { dnsLabelErrors, dnsSubdomainErrors, percentErrors, portNameErrors, portNumberErrors } from './texts.js';

/** Where complaints are gathered. */
export type Errors = FieldError[];

/** One `Invalid` per complaint. */
export function checkText(out: Errors, field: string, value: unknown, complaints: readonly string[]): void {
  for (const complaint of complaints) out.push(invalid(field, value, complaint));
}

/** An RFC 1123 label. */
export function checkLabel(out: Errors, field: string, value: string): void {
  checkText(out, field, value, dnsLabelErrors(value));
}

/** An RFC 1123 subdomain. */
export function checkSubdomain(out: Errors, field: string, value: string): void {
  checkText(out, field, value, dnsSubdomainErrors(value));
}

/** A qualified name. */
export function checkQualifiedName(out: Errors, field: string, value: string): void {
  checkText(out, field, value, qualifiedNameErrors(value));
}

/** An integer that may not be negative; absent is fine. */
export function checkNonNegative(out: Errors, field: string, value: unknown): void {
  const number = integer(value);
  if (number !== undefined && number < 0) out.push(invalid(field, number, 'must be greater than or equal to 0'));
}

/** An integer that must be at least 1. */
export function checkPositive(out: Errors, field: string, value: unknown): void {
  const number = integer(value) ?? 0;
  if (number <= 0) out.push(invalid(field, number, 'must be greater than zero'));
}

/** An enumeration; `values` are printed in the order given. */
export function checkEnum(out: Errors, field: string, value: unknown, values: readonly string[]): void {
  if (!values.includes(text(value))) out.push(notSupported(field, typedText(text(value)), values));
}

/** An enumeration whose absence is its own complaint. */
export function checkRequiredEnum(out: Errors, field: string, value: unknown, values: readonly string[]): void {
  if (text(value) === '') out.push(required(field));
  else checkEnum(out, field, value, values);
}

/** An enumeration that may be absent. */
export function checkOptionalEnum(out: Errors, field: string, value: unknown, values: readonly string[]): void {
  if (value !== undefined && value !== null) checkEnum(out, field, value, values);
}

/** Refuses a change. */
export function checkImmutable(out: Errors, field: string, value: unknown, old: unknown): void {
  if (!equalJson(value, old)) out.push(invalid(field, value ?? null, 'field is immutable'));
}

/** Refuses a change of an enumeration. */
export function checkImmutableEnum(out: Errors, field: string, value: unknown, old: unknown): void {
  const shown = typeof value === 'string' ? typedText(value) : (value ?? null);
  if (!equalJson(value, old)) out.push(invalid(field, shown, 'field is immutable'));
}

/** A map of labels. */
export function checkLabels(out: Errors, field: string, labels: unknown): void {
  if (labels !== undefined && labels !== null) pushAll(out, validateLabels(textMap(labels), field));
}

/** A map of annotations. */
export function checkAnnotations(out: Errors, field: string, annotations: unknown): void {
  if (annotations !== undefined && annotations !== null) pushAll(out, validateAnnotations(textMap(annotations), field));
}

/** A LabelSelector object; absent is fine. */
export function checkLabelSelector(out: Errors, field: string, selector: unknown): void {
  if (selector !== undefined && selector !== null)
    pushAll(out, validateLabelSelector(selector as LabelSelector, field));
}

/** Whether a LabelSelector object can be used at all (operators known, values where needed). */
export function isUsableSelector(selector: JsonObject): boolean {
  return validateLabelSelector(selector as LabelSelector, '').length === 0;
}

/** Whether labels satisfy a LabelSelector object; the empty selector matches everything, an absent one nothing. */
export function selectorMatches(selector: JsonObject | undefined, labels: Readonly<Record<string, string>>): boolean {
  if (selector === undefined) return false;
  const wanted = textMap(selector['matchLabels']);
  for (const key of Object.keys(wanted)) if (labels[key] !== wanted[key]) return false;
  return records(selector['matchExpressions']).every((expression) => {
    const key = text(expression['key']);
    const present = Object.hasOwn(labels, key);
    const among = present && texts(expression['values']).includes(labels[key] ?? '');
    switch (text(expression['operator'])) {
      case 'In':
        return among;
      case 'NotIn':
        return !among;
      case 'Exists':
        return present;
      default:
        return !present;
    }
  });
}

/** Whether a LabelSelector object names nothing at all. */
export function isEmptySelector(selector: JsonObject | undefined): boolean {
  return Object.keys(textMap(selector?.['matchLabels'])).length + records(selector?.['matchExpressions']).length === 0;
}

/** A port number or a port name. */
export function checkPortOrName(out: Errors, field: string, port: unknown): void {
  if (typeof port === 'string') checkText(out, field, port, portNameErrors(port));
  else {
    const number = integer(port) ?? 0;
    checkText(out, field, number, portNumberErrors(number));
  }
}

/** A non-negative integer or a percentage. */
export function checkIntOrPercent(out: Errors, field: string, value: unknown): void {
  if (typeof value === 'string') checkText(out, field, typedText(value), percentErrors(value));
  else checkNonNegative(out, field, value ?? 0);
}

/** The number of an integer-or-percentage, whichever it is; malformed strings count as 0. */
export function intOrPercentNumber(value: unknown): number {
  if (typeof value !== 'string') return integer(value) ?? 0;
  const match = /^([0-9]+)%?$/.exec(value);
  return match === null ? 0 : Number(match[1]);
}

/** Refuses percentages above 100. */
export function checkAtMost100Percent(out: Errors, field: string, value: unknown): void {
  if (typeof value !== 'string' || percentErrors(value).length > 0) return;
  if (intOrPercentNumber(value) > 100) out.push(invalid(field, value, 'must not be greater than 100%'));
}

/** The path of one key of a map. */
export function atKey(field: string, key: string): string {
  return keyField(field, key);
}
