import { Buffer } from 'node:buffer';
import { structByName } from '@capstan/api/kubernetes';
import type { StructDef } from '@capstan/api/kubernetes';
import { describe, expect, it } from 'vitest';
import { ProtobufError, decodeProtobuf, encodeProtobuf, readEnvelope } from './index.js';

function struct(name: string): StructDef {
  const found = structByName(name);
  if (found === undefined) throw new Error(`no struct ${name}`);
  return found;
}

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ProtobufError) return error.message;
    throw error;
  }
  return 'nothing';
}

describe('a message is refused', () => {
  it.each([
    ['that ends in a tag', 'core/v1.ConfigMap', '80', 'unexpected EOF'],
    ['that ends in a length', 'core/v1.ConfigMap', '0a', 'unexpected EOF'],
    ['that ends in a text', 'meta/v1.ObjectMeta', '0a 05 61', 'unexpected EOF'],
    ['whose part reaches beyond it', 'core/v1.ConfigMap', '0a 03 0a 05 61 62 63 64 65', 'unexpected EOF'],
    [
      'with a number of more than 64 bits',
      'meta/v1.ObjectMeta',
      '38 ff ff ff ff ff ff ff ff ff ff 01',
      'proto: integer overflow',
    ],
    [
      'with a negative length',
      'meta/v1.ObjectMeta',
      '0a ff ff ff ff ff ff ff ff ff 01',
      'proto: negative length found during unmarshaling',
    ],
    [
      'with a length that wraps around',
      'meta/v1.ObjectMeta',
      '0a ff ff ff ff ff ff ff ff 7f',
      'proto: negative length found during unmarshaling',
    ],
    ['with the field number zero', 'core/v1.ConfigMap', '00', 'proto: ConfigMap: illegal tag 0 (wire type 0)'],
    [
      'with a negative field number',
      'core/v1.ConfigMap',
      '82 80 80 80 40',
      'proto: ConfigMap: illegal tag -2147483648 (wire type 17179869186)',
    ],
    ['with the end of no group', 'core/v1.ConfigMap', '0c', 'proto: ConfigMap: wiretype end group for non-group'],
    ['with an unknown field of no wire type', 'core/v1.ConfigMap', '7e', 'proto: illegal wireType 6'],
    ['with a group that does not end', 'core/v1.ConfigMap', '7b 08 01', 'unexpected EOF'],
    ['with an unknown field cut short', 'core/v1.ConfigMap', '79 01', 'unexpected EOF'],
    [
      'with a part of another wire type',
      'core/v1.ConfigMap',
      '08 01',
      'proto: wrong wireType = 0 for field ObjectMeta',
    ],
    ['with a text of another wire type', 'meta/v1.ObjectMeta', '28 01', 'proto: wrong wireType = 0 for field UID'],
    [
      'with a number of another wire type',
      'apps/v1.DeploymentSpec',
      '0a 00',
      'proto: wrong wireType = 2 for field Replicas',
    ],
    ['with a map of another wire type', 'meta/v1.ObjectMeta', '58 01', 'proto: wrong wireType = 0 for field Labels'],
    ['with a list of another wire type', 'core/v1.PodSpec', '10 01', 'proto: wrong wireType = 0 for field Containers'],
    [
      'with an embedded part of another wire type',
      'core/v1.Volume',
      '10 01',
      'proto: wrong wireType = 0 for field VolumeSource',
    ],
    [
      'with a time of another wire type',
      'meta/v1.ObjectMeta',
      '42 02 0a 00',
      'proto: wrong wireType = 2 for field Seconds',
    ],
    ['with opaque JSON that is none', 'meta/v1.ManagedFieldsEntry', '3a 03 0a 01 7b', 'unexpected end of JSON input'],
    ['with a choice there is not', 'core/v1.TCPSocketAction', '0a 02 08 02', 'impossible IntOrString.Type'],
    [
      'with a number that is none',
      'apiextensions/v1.JSONSchemaProps',
      '49 00 00 00 00 00 00 f8 7f',
      'json: unsupported value: NaN',
    ],
  ])('%s', (_what, name, hex, message) => {
    expect(refusal(() => decodeProtobuf(struct(name), bytes(hex)))).toBe(message);
  });

  it('that nests deeper than the stack reaches', () => {
    const schema = struct('apiextensions/v1.JSONSchemaProps');
    const tag = ((schema.field('not')?.proto ?? 0) << 3) | 2;
    const varint = (value: number): number[] =>
      value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
    const heads: Uint8Array[] = [];
    let size = 0;
    for (let depth = 0; depth < 100_000; depth++) {
      const head = Uint8Array.from([...varint(tag), ...varint(size)]);
      heads.push(head);
      size += head.length;
    }
    expect(refusal(() => decodeProtobuf(schema, Buffer.concat(heads.reverse())))).toBe('exceeded max depth');
  });
});

describe('a message is read as Go reads it', () => {
  it.each([
    [
      'an unknown field is passed over',
      'core/v1.ConfigMap',
      '78 05 7a 01 61 79 0102030405060708 7d 01020304 7b 08 01 7c',
      {},
    ],
    ['the later of two values counts', 'meta/v1.ObjectMeta', '0a 01 61 0a 01 62', { name: 'b' }],
    ['even where it is empty', 'meta/v1.ObjectMeta', '0a 01 61 0a 00', { name: '' }],
    [
      'a part that comes twice is merged',
      'core/v1.ConfigMap',
      '0a 03 0a 01 61 0a 03 1a 01 62',
      { metadata: { name: 'a', namespace: 'b' } },
    ],
    ['lists may be packed', 'core/v1.PodSecurityContext', '22 03 01 ac 02', { supplementalGroups: [1, 300] }],
    ['and are as a rule not', 'core/v1.PodSecurityContext', '20 01 20 ac 02', { supplementalGroups: [1, 300] }],
    ['an entry may lack its value', 'meta/v1.ObjectMeta', '5a 03 0a 01 61', { labels: { a: '' } }],
    ['and its key', 'meta/v1.ObjectMeta', '5a 03 12 01 61', { labels: { '': 'a' } }],
    ['a quantity may lack its text', 'core/v1.ResourceRequirements', '0a 05 0a 01 61 12 00', { limits: { a: '0' } }],
    ['a wide number is cut to the width of its field', 'apps/v1.DeploymentSpec', '08 81 80 80 80 10', { replicas: 1 }],
    [
      'a negative number takes ten bytes',
      'apps/v1.DeploymentSpec',
      '08 ff ff ff ff ff ff ff ff ff 01',
      { replicas: -1 },
    ],
    [
      'a number beyond 2^53 is exact',
      'meta/v1.ObjectMeta',
      '38 81 80 80 80 80 80 80 10',
      { generation: 2n ** 53n + 1n },
    ],
    ['no bytes are no time', 'meta/v1.ObjectMeta', '42 00', { creationTimestamp: null }],
    [
      'the zero time is none',
      'meta/v1.ObjectMeta',
      '42 0b 08 80 92 b8 c3 98 fe ff ff ff 01',
      { creationTimestamp: null },
    ],
    ['the epoch is a time', 'meta/v1.ObjectMeta', '42 02 08 00', { creationTimestamp: '1970-01-01T00:00:00Z' }],
    [
      'nanoseconds are cut to microseconds',
      'core/v1.EventSeries',
      '12 06 08 01 10 ff ff 3f',
      { lastObservedTime: '1970-01-01T00:00:01.001048Z' },
    ],
    [
      'keys are no prototypes',
      'meta/v1.ObjectMeta',
      `5a 0e 0a 09 ${Buffer.from('__proto__').toString('hex')} 12 01 61`,
      JSON.parse('{"labels":{"__proto__":"a"}}') as object,
    ],
  ])('%s', (_what, name, hex, expected) => {
    expect(decodeProtobuf(struct(name), bytes(hex))).toEqual(expected);
  });
});

describe('a message is written as Go writes it', () => {
  it.each([
    [
      'what is no pointer is written even empty',
      'core/v1.ObjectReference',
      {},
      '0a 00 12 00 1a 00 22 00 2a 00 32 00 3a 00',
    ],
    ['what is a pointer is not', 'meta/v1.Preconditions', {}, ''],
    ['but where it is set', 'meta/v1.Preconditions', { uid: '' }, '0a 00'],
    [
      'fields go by their numbers',
      'meta/v1.OwnerReference',
      { apiVersion: 'a', kind: 'k', name: 'n', uid: 'u', controller: true },
      '0a 01 6b 1a 01 6e 22 01 75 2a 01 61 30 01',
    ],
    [
      'entries go by the bytes of their keys',
      'meta/v1.LabelSelector',
      { matchLabels: { '\u{1f389}': '3', '\uffff': '2', '10': '1', '9': '1' } },
      '0a 07 0a 02 31 30 12 01 31 0a 06 0a 01 39 12 01 31 0a 08 0a 03 ef bf bf 12 01 32 0a 09 0a 04 f0 9f 8e 89 12 01 33',
    ],
    ['null is the zero value', 'core/v1.EventSeries', { count: 1, lastObservedTime: null }, '08 01 12 00'],
    ['a number of an int-or-string', 'core/v1.TCPSocketAction', { port: 80 }, '0a 06 08 00 10 50 1a 00 12 00'],
    ['a text of an int-or-string', 'core/v1.TCPSocketAction', { port: 'a' }, '0a 07 08 01 10 00 1a 01 61 12 00'],
  ])('%s', (_what, name, value, hex) => {
    expect(Buffer.from(encodeProtobuf(struct(name), value)).toString('hex')).toBe(hex.replaceAll(' ', ''));
  });

  it('whatever its size', () => {
    const configMap = struct('core/v1.ConfigMap');
    for (const size of [100, 70_000, 9_000_000]) {
      const data = { a: 'x'.repeat(size), b: 'ü'.repeat(size) };
      expect(decodeProtobuf(configMap, encodeProtobuf(configMap, { data }))['data']).toEqual(data);
    }
  });
});

describe('a field is called by its Go name', () => {
  it.each([
    ['meta/v1.OwnerReference', 'apiVersion', 'APIVersion'],
    ['core/v1.ServiceSpec', 'clusterIPs', 'ClusterIPs'],
    ['core/v1.ServiceSpec', 'ipFamilies', 'IPFamilies'],
    ['core/v1.PodSpec', 'dnsPolicy', 'DNSPolicy'],
    ['core/v1.PodSpec', 'serviceAccount', 'DeprecatedServiceAccount'],
    ['core/v1.PodSpec', 'hostname', 'Hostname'],
    ['core/v1.VolumeSource', 'nfs', 'NFS'],
    ['core/v1.FCVolumeSource', 'wwids', 'WWIDs'],
    ['networking/v1.IngressSpec', 'tls', 'TLS'],
    ['apiextensions/v1.JSONSchemaProps', 'x-kubernetes-preserve-unknown-fields', 'XPreserveUnknownFields'],
    ['apps/v1.Deployment', 'metadata', 'ObjectMeta'],
    ['apps/v1.DeploymentList', 'metadata', 'ListMeta'],
  ])('%s.%s', (name, field, goName) => {
    const proto = struct(name).field(field)?.proto ?? 0;
    const tag = (proto << 3) | 5;
    const message = tag < 0x80 ? [tag] : [(tag & 0x7f) | 0x80, tag >>> 7];
    expect(refusal(() => decodeProtobuf(struct(name), Uint8Array.from(message)))).toBe(
      `proto: wrong wireType = 5 for field ${goName}`,
    );
  });
});

describe('an envelope is refused', () => {
  it.each([
    ['that is empty', '', 'empty data'],
    [
      'without the magic',
      '7b 7d',
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    ],
    ['with nothing but the magic', '6b 38 73 00', 'empty body'],
    ['that is cut short', '6b 38 73 00 0a 7f', 'unexpected EOF'],
    ['with a field of another wire type', '6b 38 73 00 08 01', 'proto: wrong wireType = 0 for field TypeMeta'],
    ['with the field number zero', '6b 38 73 00 00', 'proto: Unknown: illegal tag 0 (wire type 0)'],
  ])('%s', (_what, hex, message) => {
    expect(refusal(() => readEnvelope(bytes(hex)))).toBe(message);
  });
});
