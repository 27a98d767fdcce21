import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { isOnPath } from './on-path.js';

it('a command is on the path when a folder of it has it as a program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-path-'));
  const file = join(folder, 'kubectl');
  const path = `/nonexistent${delimiter}${folder}`;
  expect([isOnPath('kubectl', undefined), isOnPath('kubectl', path)]).toEqual([false, false]);
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  expect(isOnPath('kubectl', path)).toBe(true);
  rmSync(folder, { recursive: true });
});
