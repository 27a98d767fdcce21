import { expect, it } from 'vitest';

import { generatedFiles } from './files.js';
import { staleFiles } from './stale.js';

it('has been run since the definitions changed: npm run api:generate', { timeout: 120_000 }, async () => {
  expect(await staleFiles(generatedFiles())).toEqual([]);
});

it('notices a file that differs, is missing or is left over', async () => {
  const files = generatedFiles();
  const [first = '', second = ''] = files.keys();
  files.set(first, 'changed');
  files.delete(second);
  files.set('api/crds/example.com/missing.yaml', '');
  expect(await staleFiles(files)).toEqual([second, first, 'api/crds/example.com/missing.yaml']);
});
