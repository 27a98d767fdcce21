import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cachedDefinitions } from './cached-definitions.js';

it('finds what Go has downloaded, and names what is missing', () => {
  const cache = mkdtempSync(join(tmpdir(), 'capstan-cache-'));
  try {
    const folder = join(cache, 'sigs.k8s.io/cluster-api-provider-vsphere@v1.16.1/config/default/crd/bases');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.yaml'), 'a: 1\n');
    writeFileSync(join(folder, 'notes.txt'), '');
    const modules = cachedDefinitions({ GOMODCACHE: cache });
    expect(modules.length).toBeGreaterThan(1);
    const found = modules.filter(({ definitions }) => definitions !== undefined);
    expect(found).toEqual([
      {
        module: 'sigs.k8s.io/cluster-api-provider-vsphere@v1.16.1',
        definitions: new Map([['config/default/crd/bases/a.yaml', 'a: 1\n']]),
      },
    ]);
  } finally {
    rmSync(cache, { recursive: true });
  }
});
