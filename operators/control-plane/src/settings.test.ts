import { describe, expect, it } from 'vitest';
import { overridden, readSettings } from './settings.js';

describe('settings', () => {
  it('come from flags and the environment', () => {
    expect(
      readSettings({
        env: { MY_NAMESPACE: 'ns' },
        flags: { 'registry-overrides': '=', 'image-overrides': 'a=b,c=d=e' },
      }),
    ).toEqual({
      namespace: 'ns',
      registryOverrides: new Map(),
      imageOverrides: new Map([
        ['a', 'b'],
        ['c', 'd=e'],
      ]),
      proxy: undefined,
    });
    expect(() => readSettings({ env: {}, flags: { 'registry-overrides': 'x' } })).toThrow(
      '--registry-overrides: "x" is not of the form name=value',
    );
  });

  it.each<[string, Record<string, string>, object | undefined]>([
    ['are not used', { PROXY_IMAGE: 'p' }, undefined],
    ['are not used with another value', { PRIVATE_CAPI_TYPES: '1', PROXY_IMAGE: 'p' }, undefined],
    ['are used', { PRIVATE_CAPI_TYPES: 'true', PROXY_IMAGE: 'p' }, { image: 'p', native: undefined }],
    [
      'are used by containers of their own',
      { PRIVATE_CAPI_TYPES: 'true', PROXY_IMAGE: 'p', PROXY_NATIVE: 'false' },
      { image: 'p', native: false },
    ],
  ])('private types %s: %j', (_, env, proxy) => {
    expect(readSettings({ env, flags: {} }).proxy).toEqual(proxy);
  });

  it.each<[Record<string, string>, string]>([
    [{}, 'PRIVATE_CAPI_TYPES is true: set PROXY_IMAGE to the image of the API proxy'],
    [{ PROXY_IMAGE: 'p', PROXY_NATIVE: 'yes' }, 'PROXY_NATIVE: "yes" is not true or false'],
  ])('private types are refused with %j', (env, message) => {
    expect(() => readSettings({ env: { PRIVATE_CAPI_TYPES: 'true', ...env }, flags: {} })).toThrow(message);
  });

  it.each([
    ['quay.io/a/b:1', 'mirror/a/b:1'],
    ['quay.io/a@sha256:1', 'special@sha256:1'],
    ['quay.iox/a:1', 'quay.iox/a:1'],
  ])('%s is found at %s', (image, found) => {
    const overrides = new Map([
      ['quay.io', 'mirror'],
      ['quay.io/a@sha256:1', 'special@sha256:1'],
    ]);
    expect(overridden(image, overrides)).toBe(found);
  });
});
