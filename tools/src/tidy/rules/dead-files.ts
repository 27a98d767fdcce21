import { importGraph, reachable } from '../graph.js';
import type { Finding, Repo, Rule } from '../model.js';
import { isTestFile } from '../model.js';

/** Files nobody imports, because a person, a tool or another process starts them; examples are for people to copy. */
function entries(repo: Repo): { shipped: string[]; tests: string[] } {
  const shipped: string[] = [];
  const tests: string[] = [];
  const named = namedInConfiguration(repo);
  const exported = new Set(repo.packages.flatMap((each) => [...each.exports.values()]));
  for (const path of repo.modules.keys()) {
    const isEntry = exported.has(path) || /(?:^|\/)main\.ts$/.test(path) || !path.includes('/') || named(path);
    if (isEntry || path.startsWith('docs/')) shipped.push(path);
    else if (isTestFile(path)) tests.push(path);
  }
  return { shipped, tests };
}

/** Test set-ups and reporters are given to a runner by path, scripts to Node by the path of what they compile to. */
function namedInConfiguration(repo: Repo): (path: string) => boolean {
  const texts = [...repo.files].filter(([path]) => path === '.ci/run' || /^[^/]+\.(?:ts|json)$/.test(path));
  const all = texts.map(([, text]) => text).join('\n');
  return (path) => all.includes(path) || all.includes(path.replace('/src/', '/dist/').replace(/\.ts$/, '.js'));
}

/** Every source file is used by something that runs, and not by its own test alone. */
export const deadFiles: Rule = {
  name: 'dead-files',
  check: (repo) => {
    const graph = importGraph(repo, false);
    const { shipped, tests } = entries(repo);
    const live = reachable(graph, shipped);
    const tested = reachable(graph, tests);
    const findings: Finding[] = [];
    for (const path of repo.modules.keys()) {
      if (live.has(path) || isTestFile(path)) continue;
      // A table may hold the expectations of a test.
      if (tested.has(path) && path.endsWith('.table.ts')) continue;
      const message = tested.has(path) ? 'only tests import this file' : 'nothing imports this file';
      findings.push({ rule: 'dead-files', path, message: `${message}; use it or delete it` });
    }
    return findings;
  },
};
