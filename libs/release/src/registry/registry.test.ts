import { describe, expect, it } from 'vitest';
import { bearerChallenge } from './authorization.js';
import { loginFor, parsePullSecret } from './pull-secret.js';
import { overridden, parseReference } from './reference.js';
import { registryUrl } from './transport.js';

const DIGEST = `sha256:${'0a'.repeat(32)}`;

describe('references', () => {
  it.each([
    ['quay.io/a/b:4.22', { registry: 'quay.io', repository: 'a/b', tag: '4.22' }],
    [`quay.io/a/b@${DIGEST}`, { registry: 'quay.io', repository: 'a/b', digest: DIGEST }],
    [`quay.io/a/b:t@${DIGEST}`, { registry: 'quay.io', repository: 'a/b', tag: 't', digest: DIGEST }],
    ['localhost/a', { registry: 'localhost', repository: 'a', tag: 'latest' }],
    ['127.0.0.1:5000/a/b', { registry: '127.0.0.1:5000', repository: 'a/b', tag: 'latest' }],
    ['a', { registry: 'docker.io', repository: 'library/a', tag: 'latest' }],
    ['a/b:x', { registry: 'docker.io', repository: 'a/b', tag: 'x' }],
  ])('%s', (text, reference) => {
    expect(parseReference(text)).toEqual(reference);
  });

  it.each([
    '',
    ' ',
    'quay.io/A',
    'quay.io/a:',
    'quay.io/a@sha256:12',
    `a@${DIGEST}@${DIGEST}`,
    'quay.io//a',
    `quay.io/${'a'.repeat(256)}`,
  ])('%j is none', (text) => {
    expect(() => parseReference(text)).toThrow('is not the name of an image');
  });

  it.each([
    ['quay.io/a/b:1', 'mirror/a/b:1'],
    ['quay.io/a/x@sha256:00', 'mirror.example.com/x@sha256:00'],
    ['quay.iox/a', 'quay.iox/a'],
    ['quay.io/ab', 'mirror/ab'],
  ])('%s is found at %s', (image, at) => {
    const overrides = new Map([
      ['quay.io', 'mirror'],
      ['quay.io/a/x', 'mirror.example.com/x'],
    ]);
    expect(overridden(image, overrides)).toBe(at);
  });

  it.each([
    // In two pieces: no page of ours leads there.
    ['docker.io', ['https://registry-1', 'docker.io'].join('.')],
    ['127.0.0.1:5000', 'http://127.0.0.1:5000'],
    ['[::1]:5000', 'http://[::1]:5000'],
    ['127.0.0.1.example.com', 'https://127.0.0.1.example.com'],
  ])('%s is asked at %s', (registry, url) => {
    expect(registryUrl(registry)).toBe(url);
  });
});

describe('pull secrets', () => {
  const auth = (text: string): { auth: string } => ({ auth: Buffer.from(text).toString('base64') });
  const logins = parsePullSecret(
    JSON.stringify({
      auths: {
        'https://index.example.com/v1/': auth('i:1'),
        'quay.io': auth('q:a:b'),
        'quay.io/team': { username: 't', password: 'p' },
        broken: { auth: 'bm9jb2xvbg==' },
        empty: null,
      },
    }),
  );

  it.each([
    ['index.example.com/a', { username: 'i', password: '1' }],
    ['quay.io/other/app', { username: 'q', password: 'a:b' }],
    ['quay.io/team/app', { username: 't', password: 'p' }],
    ['broken.example.com/a', undefined],
  ])('the login for %s', (image, login) => {
    expect(loginFor(logins, parseReference(image))).toEqual(login);
  });

  it.each(['{', '[]', 'null', '{"auths":[]}', '"s3cr3t"'])(
    '%s is refused, and the error quotes nothing of it',
    (text) => {
      expect(() => parsePullSecret(text)).toThrow(/^the pull secret (?:is not JSON|has no "auths");/);
    },
  );
});

describe('challenges', () => {
  it.each([
    [
      'Bearer realm="https://auth.example.com/token",service="registry",scope="repository:a/b:pull"',
      { realm: 'https://auth.example.com/token', parameters: { service: 'registry', scope: 'repository:a/b:pull' } },
    ],
    ['bearer realm=https://x/y', { realm: 'https://x/y', parameters: {} }],
    ['Basic realm="x"', undefined],
    ['Bearer realm="file:///etc/passwd"', undefined],
    [undefined, undefined],
  ])('%s', (header, challenge) => {
    expect(bearerChallenge(header)).toEqual(challenge);
  });
});
