import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findKubectls } from './binaries.js';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'capstan-kubectls-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function program(path: string, minor: string): string {
  const full = join(root, path);
  mkdirSync(join(full, '..'), { recursive: true });
  writeFileSync(full, `#!/bin/sh\necho '{"clientVersion":{"minor":"${minor}"}}'\n`);
  chmodSync(full, 0o755);
  return full;
}

const none = (): undefined => undefined;

describe('findKubectls', () => {
  it('takes the versions next to a dispatcher, newest first, and neither the dispatcher nor what is too old', () => {
    const dispatcher = program('sdk/kubectl', '99');
    const old = [
      program('sdk/kubectl.1.28', '28'),
      program('sdk/kubectl.1.29', '29'),
      program('sdk/kubectl.1.33', '33'),
    ];
    program('sdk/kubectl.1.34.bak', '34');
    mkdirSync(join(root, 'bin'));
    symlinkSync(dispatcher, join(root, 'bin/kubectl'));
    expect(findKubectls({ env: { PATH: join(root, 'bin') }, built: none })).toEqual([
      { path: old[2], minor: 33 },
      { path: old[1], minor: 29 },
    ]);
  });

  it('asks a lone kubectl for its version', () => {
    const path = program('bin/kubectl', '31+');
    expect(findKubectls({ env: { PATH: join(root, 'bin') }, built: none })).toEqual([{ path, minor: 31 }]);
  });

  it('prefers what CAPSTAN_KUBECTLS names and adds the one built with the servers', () => {
    program('bin/kubectl', '31');
    const named = program('named/k', '31');
    const built = program('built/kubectl', '36');
    const env = { PATH: join(root, 'bin'), CAPSTAN_KUBECTLS: `${named}:${join(root, 'absent')}` };
    expect(findKubectls({ env, built: () => built })).toEqual([
      { path: built, minor: 36 },
      { path: named, minor: 31 },
    ]);
  });

  it('finds nothing where there is nothing, nor a program that does not name its version', () => {
    const broken = join(root, 'kubectl');
    writeFileSync(broken, '#!/bin/sh\nexit 1\n');
    chmodSync(broken, 0o755);
    expect(findKubectls({ env: { PATH: root }, built: none })).toEqual([]);
    expect(findKubectls({ env: {}, built: none })).toEqual([]);
  });
});
