import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';

const folder = mkdtempSync(join(tmpdir(), 'capstan-refusals-'));
const file = join(folder, 'file');
const full = join(folder, 'full');
writeFileSync(file, 'x');
mkdirSync(full);
writeFileSync(join(full, 'other'), 'x');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const AS_DATA = 'name a directory you may write with --data';
const AS_KUBECONFIG = 'name a file you may write with --kubeconfig-out';

describe('capstan apiserver refuses in one line and names the next step', () => {
  it.each<[string, string[], string, string]>([
    ['data in a file', ['--data', file], `cannot use ${file} as data directory: it is a file`, AS_DATA],
    [
      'data below a file',
      ['--data', join(file, 'x')],
      `cannot use ${join(file, 'x')} as data directory: a part of the path is a file`,
      AS_DATA,
    ],
    [
      'data in a directory of others',
      ['--data', full],
      `${full} is not empty and holds no data of an API server`,
      'name an empty directory with --data, or one that does not exist',
    ],
    [
      'a kubeconfig that is a directory',
      ['--kubeconfig-out', full],
      `cannot use ${full} as kubeconfig: it is a directory`,
      AS_KUBECONFIG,
    ],
    [
      'a kubeconfig below a file',
      ['--kubeconfig-out', join(file, 'x')],
      `cannot use ${join(file, 'x')} as kubeconfig: a part of the path is a file`,
      AS_KUBECONFIG,
    ],
    [
      'an address of another machine',
      ['--host', '192.0.2.1'],
      'listen EADDRNOTAVAIL: address not available 192.0.2.1',
      'choose an address of this machine with --host',
    ],
  ])('%s', async (_name, argv, message, hint) => {
    const io = new TestIo();
    expect(await main(['apiserver', '--no-controllers', ...argv], io)).toBe(1);
    expect(io.stderr).toBe(`error: ${message}\n${hint}\n`);
    expect({ out: io.stdout, listeners: io.listeners }).toEqual({ out: '', listeners: 0 });
  });

  // There nothing can be made, and the error is the same as for a missing parent.
  it.runIf(process.platform === 'linux')('a directory that nobody can make', async () => {
    for (const [argv, line] of [
      [['--data', '/proc/x'], 'cannot use /proc/x as data directory: there is no place for it'],
      [['--kubeconfig-out', '/proc/x/y'], 'cannot use /proc/x/y as kubeconfig: there is no place for it'],
    ] as const) {
      const io = new TestIo();
      expect(await main(['apiserver', '--no-controllers', ...argv], io)).toBe(1);
      expect(io.stderr).toContain(line);
    }
  });
});
