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
    });
    expect(() => readSettings({ env: {}, flags: { 'registry-overrides': 'x' } })).toThrow(
      '--registry-overrides: "x" is not of the form name=value',
    );
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
