/** The string formats the server checks; every other format is only documentation. */
import { Recent, parseDuration, utf8Length } from '@capstan/meta';
import { isEmail } from './format-mail.js';
import { isCidr, isIpv4, isIpv6, isMac, isRequestUri } from './format-net.js';

type FormatCheck = (text: string) => boolean;

function matching(pattern: RegExp): FormatCheck {
  return (text) => pattern.test(text);
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (match === null) return false;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0;
  const day = Number(match[3]);
  return day >= 1 && day <= (monthDays[month - 1] ?? 0) + leap;
}

/** Any one character may stand before the fraction, and what follows a second `t` is not looked at. */
const timeOfDay = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/u;

const recentTimes = 64;
/** Changes within the same second have the same time. */
const knownTimes = new Recent<string, boolean>(recentTimes);

function isDateTime(text: string): boolean {
  let isTime = knownTimes.get(text);
  if (isTime === undefined) knownTimes.set(text, (isTime = readsAsTime(text)));
  return isTime;
}

function readsAsTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const match = timeOfDay.exec(time);
  if (match === null) return false;
  const [, hour = '', minute = '', second = ''] = match;
  return hour <= '23' && minute <= '59' && second <= '59';
}

function isGoDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch {
    return false;
  }
}

const durationUnit = /^(?:ns|nano.*|us|\u00b5s|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$/;

/** Go's durations, and the looser `5 days` that some of the text must look like. */
function isDuration(text: string): boolean {
  if (isGoDuration(text)) return true;
  let found = false;
  for (const [, digits = '', unit = ''] of text.matchAll(/(?<![0-9])([0-9]+)[\t\n\f\r ]*([A-Za-z\u00b5]+)/g)) {
    if (BigInt(digits) > 0x7fff_ffff_ffff_ffffn) return false;
    found ||= durationUnit.test(unit.toLowerCase());
  }
  return found;
}

const hostLabel = String.raw`a-zA-Z0-9\p{S}\p{L}`;
const hostname = new RegExp(
  `^(?:[${hostLabel}](?:-?[${hostLabel}]{0,62})?|` +
    `(?:[${hostLabel}](?:[${hostLabel}\\-]{0,61}[${hostLabel}])?\\.)+[a-zA-Z\\p{L}]{2,63})$`,
  'u',
);

function isHostname(text: string): boolean {
  // The limits come first: they bound what the expression can be given to chew on.
  if (utf8Length(text) > 255 || text.split('.').some((label) => utf8Length(label) > 63)) return false;
  return hostname.test(text);
}

function digitAt(digits: string, at: number): number {
  return digits.charCodeAt(at) - 48;
}

function withoutSeparators(text: string): string {
  return text.replace(/[\t\n\f\r -]+/g, '');
}

function isIsbn10(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  let sum = digits[9] === 'X' ? 100 : 10 * digitAt(digits, 9);
  for (let at = 0; at < 9; at++) sum += (at + 1) * digitAt(digits, at);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < 12; at++) sum += (at % 2 === 0 ? 1 : 3) * digitAt(digits, at);
  return digitAt(digits, 12) === (10 - (sum % 10)) % 10;
}

const cardNumber =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!cardNumber.test(digits)) return false;
  let sum = 0;
  for (let at = digits.length - 1, twice = false; at >= 0; at--, twice = !twice) {
    const value = digitAt(digits, at) * (twice ? 2 : 1);
    sum += value >= 10 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

function isSsn(text: string): boolean {
  return text.length === 11 && /^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$/.test(text);
}

/** Longer than the limits of DNS the names cannot be; then the expression is linear enough. */
function isLongName(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text);
}

function isShortName(text: string): boolean {
  return text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text);
}

const colorPart = '(?:0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])';
const blank = '[\\t\\n\\f\\r ]*';

/** By normalised name: the server takes the dashes out before it looks a format up. */
const checks: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ['bsonobjectid', matching(/^[0-9a-fA-F]{24}$/)],
  ['uri', isRequestUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', isSsn],
  ['hexcolor', matching(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  [
    'rgbcolor',
    matching(
      new RegExp(`^rgb\\(${blank}${colorPart}${blank},${blank}${colorPart}${blank},${blank}${colorPart}${blank}\\)$`),
    ),
  ],
  // One quantum at the end is demanded, so the empty text is not base64 here.
  ['byte', (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]+(?:|=|==)$/.test(text)],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', isShortName],
  ['k8slongname', isLongName],
]);

/** The first minor release that knows a format, where not all do. */
const introduced: ReadonlyMap<string, number> = new Map([
  ['k8sshortname', 34],
  ['k8slongname', 34],
]);

/** The check of a string format, or `undefined` for one that Kubernetes 1.`minor` does not know. */
export function stringFormat(format: string, minor: number): FormatCheck | undefined {
  const name = format.replaceAll('-', '');
  return (introduced.get(name) ?? 0) <= minor ? checks.get(name) : undefined;
}

/** Numeric formats were documentation before this minor release. */
const numericFormatsSince = 36;

/** The format as the server sees it: empty where it has no meaning for the type. */
export function effectiveFormat(type: string, format: string, minor: number): string {
  if (format === '') return '';
  if (minor < numericFormatsSince || type === '' || type === 'string') {
    return stringFormat(format, minor) === undefined ? '' : format;
  }
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : '';
  return type === 'number' && (format === 'float' || format === 'double') ? format : '';
}
