import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The rows of the table "Where to look": the files and the function of each behaviour. */
function rows(): { behaviour: string; files: readonly string[]; name: string }[] {
  const [, section = ''] = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split('## Where to look');
  const [table = ''] = section.split('\n## ');
  return table
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| behaviour'))
    .map((line) => {
      const [, behaviour = '', files = '', name = ''] = line.split('|').map((cell) => cell.trim());
      const paths = [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
      return { behaviour, files: paths, name: name.replaceAll('`', '') };
    });
}

describe('the table "Where to look" of ARCHITECTURE.md', () => {
  it('has at least ten behaviours', () => {
    expect(rows().length).toBeGreaterThanOrEqual(10);
  });

  it('names a function that one of its files exports', () => {
    const lost = rows().filter(({ files, name }) => {
      const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
      return !texts.some((text) => new RegExp(`export (?:async )?(?:function|const) ${name}\\b`).test(text));
    });
    expect(lost).toEqual([]);
  });
});
