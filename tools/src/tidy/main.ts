import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { importGraph } from './graph.js';
import { RATCHET_PATH, loadRepo } from './repo.js';
import { countRatchets } from './rules/budgets.js';
import { formatFinding, rules, runTidy } from './tidy.js';

/*
 * The check of what a linter cannot see:
 *     node tools/dist/tidy/main.js             reports, and fails if there is anything to report
 *     node tools/dist/tidy/main.js --ratchet   writes today's counts of old sins
 */

const root = fileURLToPath(new URL('../../..', import.meta.url));

function main(args: readonly string[]): number {
  const unknown = args.filter((arg) => arg !== '--ratchet');
  if (unknown.length > 0) {
    console.error(`tidy: unknown argument ${unknown.join(' ')}; the only one is --ratchet`);
    return 2;
  }
  const repo = loadRepo(root);
  if (args.includes('--ratchet')) {
    writeFileSync(join(root, RATCHET_PATH), `${JSON.stringify(countRatchets(repo), undefined, 2)}\n`);
    console.log(`tidy: ${RATCHET_PATH} written`);
    return 0;
  }
  const findings = runTidy(repo);
  for (const finding of findings) console.error(formatFinding(finding));
  const edges = [...importGraph(repo, false).values()].reduce((sum, targets) => sum + targets.length, 0);
  const seen = `${repo.packages.length} packages, ${repo.modules.size} modules, ${edges} imports, ${repo.files.size} files`;
  console.log(`tidy: ${findings.length} findings (${seen}, ${rules.length} rules)`);
  return findings.length === 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
