import { importGraph } from '../graph.js';
import type { Finding, Rule } from '../model.js';

/**
 * A scan that found nothing to look at would pass every other rule. So every package must have modules, and the
 * imports between packages that its manifest promises must have been seen.
 */
export const scanIsReal: Rule = {
  name: 'scan',
  check: (repo) => {
    const findings: Finding[] = [];
    const graph = importGraph(repo, false);
    for (const { dir } of repo.packages) {
      const modules = [...graph.keys()].filter((path) => path.startsWith(`${dir}/`));
      if (modules.length === 0)
        findings.push({ rule: 'scan', path: dir, message: 'no module of this package was read' });
    }
    const edges = [...graph.values()].reduce((sum, targets) => sum + targets.length, 0);
    if (repo.packages.length === 0 || edges < repo.modules.size / 2) {
      const message = `${repo.packages.length} packages, ${repo.modules.size} modules, ${edges} imports: the scan misses most of the code`;
      findings.push({ rule: 'scan', path: '.', message });
    }
    return findings;
  },
};
