import { protobufOfJson } from '@capstan/apiserver';
import { CLUSTER_API_RULES, GroupMapping, TranslationError } from '@capstan/translate';
import { ProtobufTranslator, ProtobufWatch } from '@capstan/translate/protobuf';
import type { ProtobufRoute } from '@capstan/translate/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KINDS, randomObject, randomOf } from './random-objects.js';

const STANDARD = 'cluster.x-k8s.io';
const PRIVATE = 'cluster.hypershift.openshift.io';
const mapping = new GroupMapping(CLUSTER_API_RULES);
const translator = new ProtobufTranslator({ mapping });
const responses = new ProtobufTranslator({ mapping, direction: 'response' });
const DEFINITIONS: ProtobufRoute = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
};

function varint(value: number): Buffer {
  return value < 0x80 ? Buffer.of(value) : Buffer.concat([Buffer.of((value & 0x7f) | 0x80), varint(value >>> 7)]);
}

const field = (number: number, content: Uint8Array): Buffer =>
  Buffer.concat([varint((number << 3) | 2), varint(content.length), content]);

/** An event as the server writes it: its length in four bytes, its type, and the body of its object. */
function frame(type: string, body: Uint8Array): Buffer {
  const event = Buffer.concat([field(1, Buffer.from(type)), field(2, field(1, body))]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}

const body = (object: object): Uint8Array => protobufOfJson(object as { apiVersion: string; kind: string });
const metadataOf = (name: string): Uint8Array =>
  body({ apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: { name, resourceVersion: '7' } });

function watched(bytes: Uint8Array, cuts: readonly number[], route?: ProtobufRoute): Buffer {
  const watch = new ProtobufWatch(route === undefined ? translator : responses, route);
  const out: Uint8Array[] = [];
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    out.push(...watch.push(bytes.subarray(from, cut)));
    from = cut;
  }
  return Buffer.concat([...out, ...watch.end()]);
}

const everyCut = (bytes: Uint8Array): number[][] => Array.from({ length: bytes.length + 1 }, (_, cut) => [cut]);

describe('a watch', () => {
  it('renames CRDs and leaves the platform’s own out, however it is cut', () => {
    const sent = Buffer.concat([
      frame('ADDED', metadataOf(`machines.${PRIVATE}`)),
      frame('MODIFIED', metadataOf(`machines.${STANDARD}`)),
      frame('ADDED', metadataOf('things.example.com')),
      frame('BOOKMARK', metadataOf('')),
    ]);
    const expected = Buffer.concat([
      frame('ADDED', metadataOf(`machines.${STANDARD}`)),
      frame('ADDED', metadataOf('things.example.com')),
      frame('BOOKMARK', metadataOf('')),
    ]);
    for (const cuts of everyCut(sent)) expect(watched(sent, cuts, DEFINITIONS).equals(expected)).toBe(true);
  });

  it('sends each event when its last byte came, and not before', () => {
    const watch = new ProtobufWatch(translator, DEFINITIONS);
    const event = frame('ADDED', metadataOf(`machines.${PRIVATE}`));
    for (let at = 0; at < event.length - 1; at += 1) expect(watch.push(event.subarray(at, at + 1))).toEqual([]);
    expect(Buffer.concat(watch.push(event.subarray(-1)))).toEqual(frame('ADDED', metadataOf(`machines.${STANDARD}`)));
  });

  it('passes an error event, and translates what it is about', () => {
    const status = (group: string): Uint8Array =>
      body({ apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'Expired', code: 410, details: { group } });
    const sent = frame('ERROR', status(PRIVATE));
    expect(watched(sent, [], DEFINITIONS)).toEqual(frame('ERROR', status(STANDARD)));
  });

  it('gives the beginning of an event that was cut off as it came', () => {
    const event = frame('ADDED', metadataOf(`machines.${PRIVATE}`));
    for (const size of [1, 3, 4, 5, event.length - 1]) {
      expect(watched(event.subarray(0, size), [], DEFINITIONS)).toEqual(event.subarray(0, size));
    }
  });

  it('refuses an event over the limit as soon as its length is read', () => {
    const watch = new ProtobufWatch(translator, undefined, 100);
    expect(() => watch.push(Buffer.of(0, 0, 0, 101))).toThrow('an event has 101 bytes, more than 100');
  });

  it('takes the Status that may come instead of it', () => {
    const status = (group: string): Uint8Array =>
      body({ apiVersion: 'v1', kind: 'Status', status: 'Failure', code: 410, details: { group } });
    const sent = Buffer.from(status(PRIVATE));
    for (const cuts of everyCut(sent)) expect(watched(sent, cuts).equals(status(STANDARD))).toBe(true);
  });

  it('passes empty events', () => {
    const empty = Buffer.alloc(8);
    expect(watched(empty, [3])).toEqual(empty);
  });
});

describe('a random watch', () => {
  const stream = fc.tuple(fc.integer(), fc.array(fc.nat(), { maxLength: 32 })).map(([seed, cuts]) => {
    const below = randomOf(seed);
    const frames = Array.from({ length: 1 + below(6) }, () => {
      const kind = KINDS[below(KINDS.length)];
      return kind === undefined ? Buffer.alloc(4) : frame('MODIFIED', body(randomObject(kind, below(2 ** 31))));
    });
    const bytes = Buffer.concat(frames);
    const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other);
    return { bytes, frames, cuts: places };
  });

  it('comes out as its objects would, cut anywhere, and back as it was', () => {
    fc.assert(
      fc.property(stream, ({ bytes, frames, cuts }) => {
        const forth = watched(bytes, cuts);
        const one = (event: Buffer): Buffer => {
          const translated = Buffer.from(translator.event(event.subarray(4)) ?? []);
          const length = Buffer.alloc(4);
          length.writeUInt32BE(translated.length);
          return Buffer.concat([length, translated]);
        };
        expect(forth.equals(Buffer.concat(frames.map(one)))).toBe(true);
        expect(watched(forth, cuts).equals(bytes)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('that is tampered with is translated or refused, never anything else', () => {
    const tampered = fc.tuple(stream, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }));
    fc.assert(
      fc.property(tampered, ([{ bytes, cuts }, changes]) => {
        const broken = Buffer.from(bytes);
        for (const [at, byte] of changes) broken[at % broken.length] = byte;
        try {
          watched(broken, cuts, DEFINITIONS);
          translator.body(broken.subarray(broken.indexOf('k8s\0')));
        } catch (error) {
          expect(error).toBeInstanceOf(TranslationError);
        }
      }),
      { numRuns: 120 },
    );
  });
});
