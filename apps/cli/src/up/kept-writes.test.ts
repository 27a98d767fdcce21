import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCa, silentLogger, systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptEnvironment } from './kept.js';
import type { EnvironmentFile } from './kept.js';

const { certPem, keyPem } = createCa({ commonName: 'ca' });
let folder = '';
let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-kept-'));
  path = join(folder, 'environment');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const environment =
  (launched: number): (() => EnvironmentFile) =>
  () => ({
    guestsAuthority: { certPem, keyPem },
    guestsPort: 1,
    registryPort: 2,
    urls: [],
    cloud: { instances: [], launched },
    disks: {},
  });

describe('a stored environment', () => {
  it('that cannot be written logs that once, and is written as soon as it can be', async () => {
    const logged: string[] = [];
    const note = (message: string): void => void logged.push(message);
    const kept = new KeptEnvironment(path, { ...silentLogger(), error: note, warn: note });
    expect(kept.save(environment(1))).toBe(true);
    rmSync(path, { recursive: true });
    expect([kept.save(environment(2)), kept.save(environment(3))]).toEqual([false, false]);
    mkdirSync(path);
    const polling = { clock: systemClock(), limitMs: 10_000, everyMs: 50 };
    await waitUntil('the file', () => existsSync(join(path, 'environment.json')), polling);
    expect(JSON.parse(readFileSync(join(path, 'environment.json'), 'utf8'))).toEqual(environment(3)());
    expect(logged).toEqual([
      'cannot store the list of instances, refusing changes',
      'the list of instances is stored again',
    ]);
    await kept.close();
  });

  it('is without what a kill in the midst of writing left', () => {
    new KeptEnvironment(path, silentLogger()).save(environment(1));
    writeFileSync(join(path, 'environment.json.012345678901.tmp'), '{');
    expect(new KeptEnvironment(path, silentLogger()).file).toEqual(environment(1)());
    expect(readdirSync(path)).toEqual(['environment.json']);
  });
});
