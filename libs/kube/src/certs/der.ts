import { pushAll } from '@capstan/meta';
/** Just enough ASN.1 DER to write X.509: values are built inside out, each call returning a finished TLV. */

const encoder = new TextEncoder();
const SEQUENCE = 0x30;
const SET = 0x31;

/** One tag-length-value with the parts concatenated as content. */
export function tlv(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  return tlvOf(tag, parts);
}

function tlvOf(tag: number, parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const head = headLength(length);
  const out = new Uint8Array(head + length);
  out[0] = tag;
  if (head === 2) out[1] = length;
  else {
    out[1] = 0x80 | (head - 2);
    for (let place = head - 1, rest = length; place > 1; place -= 1, rest = Math.floor(rest / 256)) out[place] = rest;
  }
  let at = head;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** How long tag and length are before so much content. */
function headLength(length: number): number {
  if (length < 0x80) return 2;
  let head = 2;
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) head += 1;
  return head;
}

/** SEQUENCE of the parts. */
export function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return tlvOf(SEQUENCE, parts);
}

/** SEQUENCE of as many parts as there are; {@link sequence} is for few. */
export function sequenceOf(parts: readonly Uint8Array[]): Uint8Array {
  return tlvOf(SEQUENCE, parts);
}

/** SET of the parts; callers give at most one part, so DER's ordering rule never bites. */
export function setOf(part: Uint8Array): Uint8Array {
  return tlv(SET, part);
}

/** INTEGER from big-endian magnitude bytes; never negative. */
export function unsignedInteger(magnitude: Uint8Array): Uint8Array {
  let start = 0;
  while (start < magnitude.length - 1 && magnitude[start] === 0) start += 1;
  const trimmed = magnitude.subarray(start);
  const needsSignByte = trimmed.length === 0 || (trimmed[0] ?? 0) >= 0x80;
  return needsSignByte ? tlv(0x02, Uint8Array.of(0), trimmed) : tlv(0x02, trimmed);
}

/** The few there are, encoded. */
const identifiers = new Map<string, Uint8Array>();

/** OBJECT IDENTIFIER from dotted text; one of those that programs name, of which there are few. */
export function objectIdentifier(dotted: string): Uint8Array {
  let known = identifiers.get(dotted);
  if (known === undefined) identifiers.set(dotted, (known = encodedIdentifier(dotted)));
  return known;
}

function encodedIdentifier(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) pushAll(bytes, base128(arc));
  return tlv(0x06, Uint8Array.from(bytes));
}

function base128(value: number): number[] {
  const out = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) out.unshift(0x80 | (rest % 128));
  return out;
}

/** UTF8String. */
export function utf8String(text: string): Uint8Array {
  return tlv(0x0c, encoder.encode(text));
}

/** OCTET STRING. */
export function octetString(content: Uint8Array): Uint8Array {
  return tlv(0x04, content);
}

/** BIT STRING; `unusedBits` counts the padding bits of the last byte. */
export function bitString(content: Uint8Array, unusedBits = 0): Uint8Array {
  return tlv(0x03, Uint8Array.of(unusedBits), content);
}

/** BOOLEAN TRUE (FALSE is never written: it is the default wherever X.509 uses one). */
export function booleanTrue(): Uint8Array {
  return tlv(0x01, Uint8Array.of(0xff));
}

/** Explicit context tag `[number]` around a constructed value. */
export function explicit(number: number, content: Uint8Array): Uint8Array {
  return tlv(0xa0 | number, content);
}

/** Implicit context tag `[number]` replacing the tag of a primitive value. */
export function implicit(number: number, content: Uint8Array): Uint8Array {
  return tlv(0x80 | number, content);
}

/** UTCTime up to 2049 and GeneralizedTime after, as RFC 5280 demands. */
export function time(epochMs: number): Uint8Array {
  const text = new Date(epochMs).toISOString().replace(/[-:T]/g, '').slice(0, 14);
  const early = Number(text.slice(0, 4)) < 2050;
  return tlv(early ? 0x17 : 0x18, encoder.encode(`${early ? text.slice(2) : text}Z`));
}
