/** What a scalar of YAML 1.1 is, as the reader of the real server has it: integers are bigints, floats are numbers. */
import { Buffer } from 'node:buffer';
import { YAML_TAG } from './syntax/first-document.js';
import { YamlSyntaxError } from './errors.js';

/** A scalar that was resolved; the short name of its tag (`int`). */
export interface Resolved {
  readonly type: string;
  readonly value: unknown;
}

const WORDS: readonly (readonly [type: string, value: unknown, words: string])[] = [
  ['bool', true, 'y Y yes Yes YES true True TRUE on On ON'],
  ['bool', false, 'n N no No NO false False FALSE off Off OFF'],
  ['null', null, '~ null Null NULL'],
  ['float', NaN, '.nan .NaN .NAN'],
  ['float', Infinity, '.inf .Inf .INF +.inf +.Inf +.INF'],
  ['float', -Infinity, '-.inf -.Inf -.INF'],
];

const BY_WORD: ReadonlyMap<string, Resolved> = new Map([
  ['', { type: 'null', value: null }],
  ...WORDS.flatMap(([type, value, words]) => words.split(' ').map((word) => [word, { type, value }] as const)),
]);

/** Tags whose scalars are looked at; those of any other tag are texts. */
const LOOKED_AT = new Set(['bool', 'int', 'float', 'null', 'timestamp'].map((name) => YAML_TAG + name));
const BINARY = `${YAML_TAG}binary`;
const STR = 'str';

/** What a scalar with a tag is, or a plain one, whose tag is empty; throws YamlSyntaxError. */
export function resolveScalar(tag: string, text: string): unknown {
  if (tag === BINARY) return decodeBinary(text);
  if (tag !== '' && !LOOKED_AT.has(tag)) return text;
  const found = resolvePlain(text, tag === '' || tag.endsWith('timestamp'));
  const wanted = tag.slice(YAML_TAG.length);
  if (tag === '' || wanted === found.type) return found.type === 'timestamp' ? text : found.value;
  if (wanted === 'float' && found.type === 'int' && isInt64(found.value)) return Number(found.value);
  throw new YamlSyntaxError(`yaml: cannot decode !!${found.type} \`${text}\` as a !!${wanted}`);
}

/** What a text without quotes is, by its first character and what follows. */
export function resolvePlain(text: string, mayBeTime = true): Resolved {
  const word = BY_WORD.get(text);
  if (word !== undefined) return word;
  const asText: Resolved = { type: STR, value: text };
  if (text.startsWith('.')) return floatOf(text) ?? asText;
  if (!/^[-+0-9]/.test(text)) return asText;
  if (mayBeTime && isTime(text)) return { type: 'timestamp', value: text };
  const plain = text.replaceAll('_', '');
  return intOf(plain) ?? floatOf(plain) ?? asText;
}

const INTEGER = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;

/** With a sign 64 bits hold it, or without one. */
function intOf(plain: string): Resolved | undefined {
  const [, sign, digits = ''] = INTEGER.exec(plain) ?? [];
  if (sign === undefined) return undefined;
  const isOctal = /^0[0-7]/.test(digits);
  const size = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  const value = sign === '-' ? -size : size;
  const isHeld = value >= -(2n ** 63n) && (value < 2n ** 63n || (sign === '' && value < 2n ** 64n));
  return isHeld ? { type: 'int', value } : undefined;
}

function isInt64(value: unknown): boolean {
  return typeof value === 'bigint' && value < 2n ** 63n;
}

const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** Floats that are too large for one are texts. */
function floatOf(plain: string): Resolved | undefined {
  if (!FLOAT.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? { type: 'float', value } : undefined;
}

function decodeBinary(text: string): string {
  const code = text.replaceAll(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(code))
    throw new YamlSyntaxError('yaml: !!binary value contains invalid base64 data');
  return Buffer.from(code, 'base64').toString();
}

const DATE = String.raw`(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})`;
const CLOCK = String.raw`(?<hour>\d{1,2}):(?<minute>\d{1,2}):(?<second>\d{1,2})(?:[.,]\d+)?`;
const ZONE = String.raw`(?:Z|[-+](?<zoneHour>\d{2}):(?<zoneMinute>\d{2}))`;
const TIME = new RegExp(`^${DATE}(?:[Tt]${CLOCK}${ZONE})?$`);
const TIME_WITHOUT_ZONE = new RegExp(`^${DATE} ${CLOCK}$`);

/** How many values each part of a time has. */
const PARTS = { hour: 24, minute: 60, second: 60, zoneHour: 25, zoneMinute: 61 } as const;

function isTime(text: string): boolean {
  const groups = (TIME.exec(text) ?? TIME_WITHOUT_ZONE.exec(text))?.groups;
  if (groups === undefined) return false;
  const [year = 0, month = 0, day = 0] = ['year', 'month', 'day'].map((part) => Number(groups[part]));
  // Day zero of the next month is the last of this one.
  const days = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= days;
  return isDate && Object.entries(PARTS).every(([part, count]) => Number(groups[part] ?? 0) < count);
}

/** What YAML 1.1 takes for a number with a base of 60; it is a text to the real server, and written in quotes. */
const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Whether a text would be read as something else without quotes. */
export function needsQuotes(text: string): boolean {
  return resolvePlain(text).type !== STR || BASE_60.test(text);
}
