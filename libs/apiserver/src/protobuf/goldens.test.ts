import { Buffer } from 'node:buffer';
import { structByName } from '@capstan/api/kubernetes';
import { parseJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { decodeTyped } from '../codec/index.js';
import { LEAF_TEXTS } from '../codec/index.js';
import { RECORDED_ANSWERS, RECORDED_OBJECTS } from './goldens.table.js';
import {
  decodeProtobuf,
  encodeMessage,
  encodeProtobuf,
  protobufStruct,
  readEnvelope,
  listEnvelopeParts,
  partSize,
  writeEnvelope,
  writeWatchFrame,
} from './index.js';

interface Kinded extends JsonObject {
  apiVersion: string;
  kind: string;
}

function parsed(json: string): Kinded {
  return parseJson(Buffer.from(json)).value as Kinded;
}

/** Bytes that tests show readably when they differ. */
function shown(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

function encoded(value: Kinded): Uint8Array {
  return writeEnvelope(value.apiVersion, value.kind, encodeMessage(value));
}

/** Claim templates get their kind from the server's defaults, not from the message. */
function withoutTemplateKinds(value: Kinded): Kinded {
  const { spec } = value as { spec?: { volumeClaimTemplates?: JsonObject[] } };
  for (const template of spec?.volumeClaimTemplates ?? []) {
    delete template['kind'];
    delete template['apiVersion'];
  }
  return value;
}

describe('an object the real server answered', () => {
  it.each(RECORDED_OBJECTS)('from $path is encoded to the very same bytes', ({ json, protobuf }) => {
    expect(shown(encoded(parsed(json)))).toBe(shown(Buffer.from(protobuf, 'base64')));
  });

  it.each(RECORDED_OBJECTS)('from $path is decoded to the same JSON', ({ json, protobuf }) => {
    const { apiVersion, kind, raw } = readEnvelope(Buffer.from(protobuf, 'base64'));
    const struct = protobufStruct(apiVersion, kind);
    if (struct === undefined) throw new Error(`no struct for ${apiVersion} ${kind}`);
    const { value, unknownFields } = decodeTyped(
      struct,
      { apiVersion, kind, ...decodeProtobuf(struct, raw) },
      { texts: LEAF_TEXTS },
    );
    expect(unknownFields).toEqual([]);
    expect(value).toEqual(withoutTemplateKinds(parsed(json)));
  });
});

function encodedList(value: Kinded): Uint8Array {
  const struct = structByName('meta/v1.ListMeta');
  if (struct === undefined) throw new Error('no ListMeta');
  const { apiVersion, kind, metadata, items } = value as unknown as {
    apiVersion: string;
    kind: string;
    metadata: JsonObject;
    items: JsonObject[];
  };
  const messages = items.map((item) => encodeMessage({ ...item, apiVersion, kind: kind.slice(0, -'List'.length) }));
  const itemsSize = messages.reduce((sum, { length }) => sum + partSize(length), 0);
  const envelope = { apiVersion, kind, metadata: encodeProtobuf(struct, metadata), itemsSize };
  return Buffer.concat([...listEnvelopeParts(envelope, messages)]);
}

function encodedAnswer(json: string, contentType: string): Uint8Array {
  if (contentType.endsWith(';stream=watch')) {
    const events = json.split('\n').map((line) => JSON.parse(line) as { type: string; object: Kinded });
    return Buffer.concat(events.map(({ type, object }) => writeWatchFrame(type, encoded(object))));
  }
  const value = parsed(json);
  return value.kind.endsWith('List') ? encodedList(value) : encoded(value);
}

describe('an answer of the real server', () => {
  it.each(RECORDED_ANSWERS)('to $path is put together to the very same bytes', ({ json, contentType, protobuf }) => {
    expect(shown(encodedAnswer(json, contentType))).toBe(shown(Buffer.from(protobuf, 'base64')));
  });
});
