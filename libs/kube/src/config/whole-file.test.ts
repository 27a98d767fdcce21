import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeWholeFile } from './whole-file.js';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-whole-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

describe('a file that is written whole', () => {
  it('is for the owner alone by default, and replaces what was there', () => {
    writeWholeFile(join(folder, 'a'), 'one');
    writeWholeFile(join(folder, 'a'), 'two', { isDurable: false });
    writeWholeFile(join(folder, 'b'), Buffer.from('three'), { mode: 0o640 });
    expect(['a', 'b'].map((name) => [read(name), statSync(join(folder, name)).mode & 0o777])).toEqual([
      ['two', 0o600],
      ['three', 0o640],
    ]);
  });

  it('may have the longest of names', () => {
    writeWholeFile(join(folder, 'x'.repeat(255)), 'text');
    expect(readdirSync(folder)).toEqual(['x'.repeat(255)]);
  });

  it('leaves nothing behind when it cannot be put in place', () => {
    mkdirSync(join(folder, 'place', 'taken'), { recursive: true });
    expect(() => writeWholeFile(join(folder, 'place'), 'text', { followsLinks: false })).toThrow(/EISDIR|ENOTEMPTY/);
    expect(readdirSync(folder)).toEqual(['place']);
  });

  it('is written where a link points, or in place of it', () => {
    for (const name of ['followed', 'replaced']) {
      writeWholeFile(join(folder, `${name}.target`), 'old');
      symlinkSync(`${name}.target`, join(folder, name));
    }
    writeWholeFile(join(folder, 'followed'), 'new');
    writeWholeFile(join(folder, 'replaced'), 'new', { followsLinks: false });
    expect([read('followed.target'), readlinkSync(join(folder, 'followed'))]).toEqual(['new', 'followed.target']);
    expect([read('replaced.target'), read('replaced')]).toEqual(['old', 'new']);
  });

  it('writes to devices as they are, and fails when they are full', () => {
    writeWholeFile('/dev/null', 'text');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    expect(() => writeWholeFile('/dev/full', 'text')).toThrow('ENOSPC');
  });
});
