import { describe, expect, it } from 'vitest';
import { bootImagesOf, fieldAt, textAt } from './boot-images.js';
import { withoutUndefined } from './without-undefined.js';
import { copiedSecret, opaqueSecret, secretText } from './secrets.js';
import { settingsOf } from './settings.js';
import { isAtLeast } from './versions.js';

describe('versions of releases', () => {
  it.each([
    ['4.18.9', 19, false],
    ['4.19.0-rc.1', 19, true],
    ['4.22.0', 23, false],
    ['5.0.0', 23, true],
    ['5.0.0', 24, false],
    ['5.1.3', 24, true],
    ['unknown', 99, true],
  ])('%s is at least 4.%i: %s', (version, minor, answer) => {
    expect(isAtLeast(version, minor)).toBe(answer);
  });
});

describe('values by path', () => {
  const bootImages = { architectures: { x86_64: { images: { a: { image: 'i', empty: '' } } }, ppc64le: { b: 1 } } };

  it.each([
    ['amd64', { images: { a: { image: 'i', empty: '' } } }],
    ['ppc64le', { b: 1 }],
    ['arm64', undefined],
  ])('images of %s', (architecture, expected) => {
    expect(bootImagesOf({ bootImages }, architecture)).toEqual(expected);
  });

  it('are nothing where the path ends early, and inherited fields are none', () => {
    expect(textAt(bootImages, 'architectures', 'x86_64', 'images', 'a', 'image')).toBe('i');
    expect(textAt(bootImages, 'architectures', 'x86_64', 'images', 'a', 'empty')).toBeUndefined();
    expect(fieldAt(bootImages, 'architectures', 'x86_64', 'images', 'a', 'image', 'deeper')).toBeUndefined();
    expect(fieldAt({}, 'constructor')).toBeUndefined();
  });
});

describe('objects', () => {
  it('keep what is set, also when it is false or empty', () => {
    expect(withoutUndefined({ a: undefined, b: false, c: '', d: null })).toEqual({ b: false, c: '', d: null });
    expect(Object.keys(withoutUndefined({ a: undefined }))).toEqual([]);
  });

  it('have settings only of their own platform', () => {
    const of = { spec: { platform: { type: 'X', x: { a: 1 }, y: 'text' } } };
    expect(settingsOf(of, { key: 'x' })).toEqual({ a: 1 });
    expect(settingsOf(of, { key: 'y' })).toEqual({});
    expect(settingsOf({}, { key: 'toString' })).toEqual({});
  });
});

describe('secrets', () => {
  const source = opaqueSecret('n', 's', { one: 'eins', two: 'zwei' });

  it('hold text as bytes', () => {
    expect(source['data']).toEqual({ one: 'ZWlucw==', two: 'endlaQ==' });
    expect(secretText(source, 'one')).toBe('eins');
    expect(secretText(source, 'three')).toBeUndefined();
    expect(secretText(undefined, 'one')).toBeUndefined();
  });

  it('are copied whole or by key, and only their data', () => {
    expect(copiedSecret(source, { namespace: 'm', name: 't' })['data']).toEqual(source['data']);
    expect(copiedSecret(source, { namespace: 'm', name: 't' }, ['two', 'three'])).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 't', namespace: 'm' },
      type: 'Opaque',
      data: { two: 'endlaQ==' },
    });
  });
});
