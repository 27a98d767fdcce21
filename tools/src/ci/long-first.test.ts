import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

import { LONG_FILES } from './long-first.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

it('every file that is to begin first is there, and named once', () => {
  expect(LONG_FILES.filter((file) => !existsSync(`${root}${file}`))).toEqual([]);
  expect(new Set(LONG_FILES).size).toBe(LONG_FILES.length);
});
