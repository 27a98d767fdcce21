import { posix } from 'node:path';

import type { Rule } from '../model.js';

/** Folders by convention: data of a package, what serves tests alone, and the engine, whose steps of a rollback grow. */
const conventional = /\/(?:tables|testing|testing-cases)$|^operators\/hypershift\/src\/migration\/rollback$/;

/** A folder is for several files: one alone is found sooner next to its users. An entry point of a process may be alone. */
export const loneFiles: Rule = {
  name: 'lone-files',
  check: (repo) => {
    const files = new Map<string, string[]>();
    for (const path of repo.files.keys()) {
      const folder = posix.dirname(path);
      files.set(folder, [...(files.get(folder) ?? []), path]);
    }
    const parents = new Set([...repo.folders].map((folder) => posix.dirname(folder)));
    return [...files].flatMap(([folder, [path = '', ...others]]) =>
      others.length > 0 || parents.has(folder) || !isSource(path) || conventional.test(folder)
        ? []
        : [{ rule: 'lone-files', path, message: `is alone in its folder: move it to ${posix.dirname(folder)}` }],
    );
  },
};

/** In a folder below `src`, and not where a process begins. */
function isSource(path: string): boolean {
  return /\/src\/.+\/[^/]+\.ts$/.test(path) && !path.endsWith('/main.ts');
}
