import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './list-cursor.js';

function token(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('a list cursor', () => {
  it.each([
    { namespace: 'n', name: 'x', within: '', namespaced: true },
    { namespace: 'n', name: 'x', within: 'n', namespaced: true },
    { namespace: '', name: 'x', within: '', namespaced: false },
  ])('comes back as it was sent: $namespace/$name of "$within"', ({ namespace, name, within, namespaced }) => {
    const sent = { revision: 7, after: { namespace, name } };
    expect(decodeCursor(encodeCursor(sent, within), within, namespaced)).toEqual(sent);
  });

  it('is of the form the real server uses', () => {
    const text = Buffer.from(
      encodeCursor({ revision: 7, after: { namespace: 'n', name: 'x' } }, ''),
      'base64url',
    ).toString();
    expect(text).toBe('{"v":"meta.k8s.io/v1","rv":7,"start":"/n/x\\u0000"}');
  });

  it('understands the form of older servers', () => {
    const old = token({ v: 'meta.k8s.io/v1', rv: 7, start: 'n/x\u0000' });
    expect(decodeCursor(old, '', true).after).toEqual({ namespace: 'n', name: 'x' });
  });

  it.each([
    ['***', 'illegal base64 data at input byte 0'],
    [token({ v: 'xx', rv: 1, start: 'a' }), 'server does not recognize this encoded version xx'],
    [
      token({ v: 'meta.k8s.io/v1', rv: 0, start: 'a' }),
      'incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    ],
    [token({ v: 'meta.k8s.io/v1', rv: 1 }), 'encoded start key empty (version meta.k8s.io/v1)'],
  ])('that is malformed is refused with the reason: %s', (text, reason) => {
    expect(() => decodeCursor(text, '', true)).toThrow(`invalid continue token: continue key is not valid: ${reason}`);
  });
});
