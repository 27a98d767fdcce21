import { describe, expect, it } from 'vitest';
import { CLUSTER_API_RULES, GroupMapping } from '../groups/mapping.js';
import { ProtobufTranslator } from './translator.js';

const STANDARD = 'cluster.x-k8s.io';
const PRIVATE = 'cluster.hypershift.openshift.io';
const translator = new ProtobufTranslator({ mapping: new GroupMapping(CLUSTER_API_RULES) });

/** A length, padded to more bytes than it needs if `bytes` is given. */
function length(value: number, wasted = 0): Buffer {
  const bytes = value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >>> 7];
  for (let index = 0; index < wasted; index += 1) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80;
    bytes.push(0);
  }
  return Buffer.from(bytes);
}

const field = (number: number, content: string | Uint8Array, wasted = 0): Buffer => {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([length((number << 3) | 2), length(bytes.length, wasted), bytes]);
};

const envelope = (...message: readonly Uint8Array[]): Buffer => {
  const type = Buffer.concat([field(1, 'v1'), field(2, 'ConfigMap')]);
  return Buffer.concat([
    Buffer.from('k8s\0'),
    field(1, type),
    field(2, Buffer.concat(message)),
    field(3, ''),
    field(4, ''),
  ]);
};

const owner = (group: string, wasted = 0): Buffer => field(13, field(5, `${group}/v1`, wasted), wasted);

describe('a message as others than Go may write it', () => {
  const twice = (bytes: Buffer): Uint8Array => translator.body(translator.body(bytes));
  const UNKNOWN = Buffer.concat([
    Buffer.of(0x98, 0x06, 0x96, 0x01), // field 99, a varint
    Buffer.of(0xa1, 0x06, 1, 2, 3, 4, 5, 6, 7, 8), // field 100, eight bytes
    Buffer.of(0xad, 0x06, 1, 2, 3, 4), // field 101, four bytes
    Buffer.of(0xb3, 0x06, 0x0b, 0x10, 0x01, 0x0c, 0xb4, 0x06), // field 102, a group in a group
  ]);

  it('keeps fields it does not know where they are', () => {
    const around = (group: string): Buffer =>
      envelope(UNKNOWN, field(1, Buffer.concat([UNKNOWN, owner(group), UNKNOWN])), UNKNOWN);
    expect(Buffer.from(translator.body(around(STANDARD)))).toEqual(around(PRIVATE));
    expect(Buffer.from(translator.body(around(PRIVATE)))).toEqual(around(STANDARD));
  });

  it.each([1, 2, 5])('keeps %i wasted bytes of lengths, so that the way back is exact', (wasted) => {
    for (let padding = 0; padding < 150; padding += 1) {
      const metadata = Buffer.concat([field(1, 'n'.repeat(padding)), owner(STANDARD, wasted)]);
      const bytes = envelope(field(1, metadata, wasted));
      expect(twice(bytes)).toEqual(bytes);
    }
  });

  it('reads a kind that comes after the message, and parts of one that come twice', () => {
    const type = Buffer.concat([field(2, 'Role'), field(1, 'rbac.authorization.k8s.io/v1')]);
    const body = (group: string): Buffer =>
      Buffer.concat([
        Buffer.from('k8s\0'),
        field(2, Buffer.concat([field(1, owner(group)), field(1, owner(group)), field(2, field(2, group))])),
        field(1, field(2, 'Secret')),
        field(1, type),
      ]);
    expect(Buffer.from(translator.body(body(STANDARD)))).toEqual(body(PRIVATE));
  });

  it('keeps bytes of a string that are no UTF-8, for servers take them', () => {
    const version = Buffer.of(0x2f, 0x76, 0xff, 0xc3);
    const around = (group: string): Buffer =>
      envelope(field(1, field(13, field(5, Buffer.concat([Buffer.from(`é.${group}`), version])))));
    expect(Buffer.from(translator.body(around(STANDARD)))).toEqual(around(PRIVATE));
  });

  it('leaves a field alone that has another type than it should', () => {
    const bytes = envelope(Buffer.of(0x08, 0x01), field(1, Buffer.of(0x68, 0x01)), field(9, STANDARD));
    expect(translator.body(bytes)).toBe(bytes);
  });

  it.each([
    {
      name: 'a tag of more than 32 bits',
      bytes: Buffer.of(0x8a, 0x80, 0x80, 0x80, 0x80, 0x01, 0),
      cause: 'a field has no number',
    },
    { name: 'field zero', bytes: Buffer.of(0x02, 0), cause: 'a field has no number' },
    { name: 'a number without end', bytes: Buffer.alloc(12, 0xff), cause: 'a number is too long' },
    { name: 'an end of a group that never began', bytes: Buffer.of(0x0c), cause: 'a field has no known type' },
    { name: 'a wire type that is none', bytes: Buffer.of(0x0f), cause: 'a field has no known type' },
    { name: 'a length beyond the end', bytes: Buffer.of(0x0a, 0x7f), cause: 'a field is longer than what it is in' },
  ])('refuses $name', ({ bytes, cause }) => {
    expect(() => translator.body(envelope(field(9, STANDARD), bytes))).toThrow(
      `the body is no protobuf message: ${cause}, at byte`,
    );
  });

  it('refuses objects in objects without end', () => {
    const list = (inner: Uint8Array): Buffer =>
      Buffer.concat([
        Buffer.from('k8s\0'),
        field(1, Buffer.concat([field(1, 'v1'), field(2, 'List')])),
        field(2, field(2, field(1, inner))),
      ]);
    let body = envelope(field(1, owner(STANDARD)));
    let expected = envelope(field(1, owner(PRIVATE)));
    for (let depth = 0; depth < 7; depth += 1) {
      body = list(body);
      expected = list(expected);
    }
    expect(Buffer.from(translator.body(body))).toEqual(expected);
    expect(() => translator.body(list(body))).toThrow('objects are embedded in each other more than 8 deep');
  });
});
