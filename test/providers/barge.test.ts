import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hostingConformance } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { hosting } from '../../docs/guide/barge.js';

const examples = {
  clusters: [{ river: 'Rhine' }],
  pools: [{ load: 100 }],
  secrets: [],
  bootImages: {},
  createFlags: {},
  isPublished: false as const,
};

function read(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../docs/${path}`, import.meta.url)), 'utf8');
}

describe('the platform of the documents', () => {
  it('is the one that the documents show', () => {
    expect(read('contracts/hosting.md')).toContain(`\`\`\`ts\n${read('guide/barge.ts')}\`\`\``);
  });

  it.each(hostingConformance(hosting, examples).map(({ name, run }) => [name, run] as const))('%s', (_, run) => {
    run();
  });
});
