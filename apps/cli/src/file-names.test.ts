import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileNameOf, nameOfFile } from './file-names.js';

describe('the name of a file', () => {
  it.each([
    ['etcd-0', 'etcd-0'],
    ['machines.cluster.x-k8s.io', 'machines.cluster.x-k8s.io'],
    ['a'.repeat(253), 'a'.repeat(253)],
    ['..', '%2e%2e'],
    ['.', '%2e'],
    ['.hidden', '%2ehidden'],
    ['dot.', 'dot%2e'],
    ['', '%empty'],
    ['../../x', '%2e.%2f..%2fx'],
    ['/etc/passwd', '%2fetc%2fpasswd'],
    ['a\\b', 'a%5cb'],
    ['a\0b', 'a%00b'],
    ['a b', 'a%20b'],
    ['100%', '100%25'],
    ['system:node', 'system%3anode'],
    ['Pod', '%50od'],
    ['ü', '%c3%bc'],
    ['con', '%63on'],
    ['nul.txt', '%6eul.txt'],
    ['console', 'console'],
  ])('%j is %s, and can be read back', (name, file) => {
    expect(fileNameOf(name)).toBe(file);
    expect(nameOfFile(file)).toBe(name);
  });

  it('is cut when it is too long, and stays its own', () => {
    const [one, other] = [`${'x'.repeat(300)}1`, `${'x'.repeat(300)}2`];
    expect(fileNameOf(one, '.yaml')).toMatch(/^x{213}%sha-[0-9a-f]{32}\.yaml$/);
    expect(fileNameOf(one, '.yaml')).toHaveLength(255);
    expect(fileNameOf(one)).not.toBe(fileNameOf(other));
  });

  it('is safe and different for every name, on every file system', () => {
    const name = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.stringMatching(/^[./\\A-Za-z%\0]{0,12}$/));
    fc.assert(
      fc.property(name, name, (one, other) => {
        const file = fileNameOf(one, '.log');
        expect(file).toMatch(/^[a-z0-9_%-][a-z0-9._%-]*$/);
        expect(Buffer.byteLength(file)).toBeLessThanOrEqual(255);
        if (one !== other) expect(fileNameOf(other, '.log').toLowerCase()).not.toBe(file.toLowerCase());
      }),
    );
  });

  it('keeps lone surrogates distinct', () => {
    expect(fileNameOf('\ud800')).not.toBe(fileNameOf('\ud801'));
  });
});
