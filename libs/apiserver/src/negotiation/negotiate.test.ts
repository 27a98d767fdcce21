import { describe, expect, it } from 'vitest';
import { parseAccept } from './accept.js';
import { negotiate, wantsProtobufStatus, type Negotiated } from './negotiate.js';

const json: Negotiated = { mediaType: 'application/json', pretty: false, group: '', version: '' };
const yaml: Negotiated = { ...json, mediaType: 'application/yaml' };
const protobuf: Negotiated = { ...json, mediaType: 'application/vnd.kubernetes.protobuf' };
const table: Negotiated = { ...json, as: 'Table', group: 'meta.k8s.io', version: 'v1' };
const kubectlGet =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';

describe('negotiate', () => {
  it.each<{ accept: string | undefined; expected: Negotiated | 'not-acceptable' }>([
    { accept: undefined, expected: json },
    { accept: '', expected: json },
    { accept: 'application/json', expected: json },
    { accept: '*/*', expected: json },
    { accept: '*', expected: json },
    { accept: 'application/*', expected: json },
    { accept: 'application/yaml', expected: yaml },
    { accept: 'application/json, */*', expected: json },
    { accept: kubectlGet, expected: table },
    {
      accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
      expected: { ...table, version: 'v1beta1' },
    },
    { accept: 'application/yaml;as=Table;v=v1;g=meta.k8s.io', expected: { ...table, mediaType: 'application/yaml' } },
    { accept: '*/*;as=Table;v=v1;g=meta.k8s.io', expected: table },
    {
      accept:
        'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
      expected: { ...table, mediaType: 'application/vnd.kubernetes.protobuf', as: 'PartialObjectMetadata' },
    },
    {
      accept:
        'application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1,application/json;as=Table;g=meta.k8s.io;v=v1',
      expected: table,
    },
    {
      accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
      expected: { ...table, as: 'PartialObjectMetadataList' },
    },
    { accept: 'application/vnd.kubernetes.protobuf,application/json', expected: protobuf },
    { accept: 'application/json,application/vnd.kubernetes.protobuf', expected: json },
    { accept: 'application/vnd.kubernetes.protobuf, */*', expected: protobuf },
    { accept: 'application/vnd.kubernetes.protobuf;stream=watch', expected: protobuf },
    { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', expected: json },
    { accept: 'application/json;as=Table;v=v2;g=meta.k8s.io,application/json', expected: json },
    { accept: 'application/json;as=Table;v=v1,application/yaml', expected: yaml },
    { accept: 'application/json;q=0.2,application/yaml;q=0.8', expected: yaml },
    { accept: 'application/json;q=0.2,*/*;q=0.8', expected: json },
    { accept: 'application/json;pretty=1', expected: { ...json, pretty: true } },
    { accept: 'application/json;charset=utf-8', expected: json },
    { accept: 'application/json;stream=watch', expected: json },
    { accept: 'application/json;stream=other,application/yaml', expected: yaml },
    { accept: 'application/json;sv=v1', expected: json },
    { accept: 'application/vnd.kubernetes.protobuf', expected: protobuf },
    { accept: 'application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1', expected: 'not-acceptable' },
    { accept: 'text/html', expected: 'not-acceptable' },
    { accept: 'application/json/x', expected: 'not-acceptable' },
    { accept: 'json', expected: 'not-acceptable' },
    { accept: '*/json', expected: 'not-acceptable' },
    { accept: 'application/json;as=Nope;v=v1;g=meta.k8s.io', expected: 'not-acceptable' },
    { accept: 'application/json;g=meta.k8s.io', expected: 'not-acceptable' },
    { accept: 'application/json;sv=v2', expected: 'not-acceptable' },
    { accept: 'Application/JSON', expected: 'not-acceptable' },
  ])('reads $accept', ({ accept, expected }) => {
    expect(negotiate(accept)).toEqual(expected);
  });

  it.each([
    { accept: 'application/vnd.kubernetes.protobuf', expected: 'not-acceptable' },
    { accept: 'application/vnd.kubernetes.protobuf,application/json', expected: json },
    {
      accept: 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
      expected: { ...protobuf, as: 'PartialObjectMetadata', group: 'meta.k8s.io', version: 'v1' },
    },
  ])('reads $accept for a custom resource', ({ accept, expected }) => {
    expect(negotiate(accept, { isCustom: true })).toEqual(expected);
  });

  it.each([
    { accept: undefined, expected: false },
    { accept: 'application/vnd.kubernetes.protobuf', expected: true },
    { accept: 'application/vnd.kubernetes.protobuf;stream=watch', expected: true },
    { accept: 'application/json,application/vnd.kubernetes.protobuf', expected: false },
    { accept: 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1', expected: false },
  ])('knows the encoding of a Status by $accept', ({ accept, expected }) => {
    expect(wantsProtobufStatus(accept)).toBe(expected);
  });

  it('gives the same answer when asked again', () => {
    expect(negotiate(kubectlGet)).toBe(negotiate(kubectlGet));
  });

  it('stays right when flooded with distinct headers', () => {
    for (let index = 0; index < 1000; index += 1) expect(negotiate(`text/x${index},application/yaml`)).toEqual(yaml);
  });

  it.each([
    { accept: 'application/yaml', expected: 'not-acceptable' },
    { accept: 'application/yaml,application/json;q=0.5', expected: 'not-acceptable' },
    { accept: 'application/json;stream=watch', expected: json },
    { accept: kubectlGet, expected: table },
  ])('reads $accept for a watch', ({ accept, expected }) => {
    expect(negotiate(accept, { stream: true })).toEqual(expected);
  });
});

describe('parseAccept', () => {
  it.each([
    { header: 'a/b;q=0.1, c/d, e/f;q=0.5', order: ['c/d', 'e/f', 'a/b'] },
    { header: '*/*, a/*, a/b', order: ['a/b', 'a/*', '*/*'] },
    { header: 'a/b;q=x, c/d;q=0.1', order: ['c/d', 'a/b'] },
    { header: 'a/b, c/d, a/b', order: ['a/b', 'c/d', 'a/b'] },
    { header: '*/*;q=0.9, a/b;q=0.1', order: ['a/b', '*/*'] },
    { header: ', a, /, a/b/c, a/b', order: ['a/b'] },
  ])('puts $header in order', ({ header, order }) => {
    expect(parseAccept(header).map(({ type, subtype }) => `${type}/${subtype}`)).toEqual(order);
  });

  it('keeps well-formed parameters and drops the rest', () => {
    const [clause] = parseAccept('a/b; x = 1 ;y;z=;w=1=2;v=3');
    expect([...(clause?.params ?? [])]).toEqual([
      ['x', '1'],
      ['v', '3'],
    ]);
  });
});
