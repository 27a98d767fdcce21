import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCa, silentLogger } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptEnvironment } from './kept.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-kept-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const { certPem, keyPem } = createCa({ commonName: 'ca' });
const ENVIRONMENT = {
  guestsAuthority: { certPem, keyPem },
  guestsPort: 1,
  registryPort: 2,
  urls: [],
  cloud: {},
  disks: {},
};
const HINT = 'restore it from a backup, or remove the directory';

describe('a stored environment', () => {
  it.each<[string, string, string]>([
    ['nothing', '', 'it is empty'],
    ['half of it', '{"guestsPort":', 'it is no JSON'],
    ['null', 'null', 'it is no JSON object'],
    ['an empty object', '{}', 'the ports are missing'],
    ['no cloud', JSON.stringify({ ...ENVIRONMENT, cloud: null }), 'cloud is missing'],
    ['no CA', JSON.stringify({ ...ENVIRONMENT, guestsAuthority: 7 }), 'guestsAuthority is missing'],
    [
      'a broken CA',
      JSON.stringify({ ...ENVIRONMENT, guestsAuthority: { certPem, keyPem: 'x' } }),
      'certPem and keyPem of guestsAuthority are no CA with its key in PEM',
    ],
  ])('with %s in its file is refused in words', (_, text, problem) => {
    const path = join(folder, 'environment.json');
    writeFileSync(path, text);
    expect(() => new KeptEnvironment(folder, silentLogger())).toThrow(
      expect.objectContaining({ message: `${path} is not what was written there: ${problem}`, hint: HINT }),
    );
  });

  it('is read back when it is whole', () => {
    writeFileSync(join(folder, 'environment.json'), JSON.stringify(ENVIRONMENT));
    expect(new KeptEnvironment(folder, silentLogger()).file).toEqual(ENVIRONMENT);
  });

  it.each([
    ['null', 'it is no JSON object'],
    ['{}', 'caCertPem is missing'],
    [
      JSON.stringify({ caCertPem: 'a', caKeyPem: 'b', adminToken: 'c', bootstrapToken: 'd' }),
      'caCertPem and caKeyPem are no CA with its key in PEM',
    ],
  ])('with a guest of the identity %s is refused in words', async (text, problem) => {
    const environment = new KeptEnvironment(folder, silentLogger());
    await environment.open('clusters', 'one');
    await environment.close();
    const path = join(folder, 'guests', 'clusters', 'one', 'identity.json');
    writeFileSync(path, text);
    const again = new KeptEnvironment(folder, silentLogger());
    try {
      await expect(again.open('clusters', 'one')).rejects.toThrow(`${path} is not what was written there: ${problem}`);
    } finally {
      await again.close();
    }
  });

  it('keeps every guest below its own folder, and finds them by name', async () => {
    mkdirSync(join(folder, 'in'));
    const environment = new KeptEnvironment(join(folder, 'in'), silentLogger());
    await environment.open('clusters', 'con');
    await environment.open('..', '../../out');
    await environment.close();
    expect(readdirSync(folder)).toEqual(['in']);
    expect(environment.guests()).toEqual([
      { namespace: '..', name: '../../out' },
      { namespace: 'clusters', name: 'con' },
    ]);
  });
});
