import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { OPERATOR_REASONS } from './cluster-operator/decide.js';
import { HANDOVER_REASONS } from './handover/reasons.js';
import { REASONS } from './resource/reasons.js';

it('writes the reasons that the README lists, and lists no others', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const listed = [...readme.matchAll(/^\| (?:True|False|Unknown) \| `(\w+)` \|/gmu)].map(([, reason]) => reason);
  const written = [...Object.values(REASONS), ...Object.values(HANDOVER_REASONS), ...Object.values(OPERATOR_REASONS)];
  expect(new Set(listed)).toEqual(new Set(written));
});
