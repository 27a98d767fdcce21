import type { Finding, Repo, Rule } from './model.js';
import { ambientUse } from './rules/ambient.js';
import { fileSizes, ratchets } from './rules/budgets.js';
import { scanIsReal } from './rules/coverage.js';
import { deadFiles } from './rules/dead-files.js';
import { dependencyReasons } from './rules/dependencies.js';
import { docCommands, docPaths, docTitles } from './rules/docs.js';
import { hostingOnce } from './rules/hosting.js';
import { importCycles, importDirections, noExportAll } from './rules/imports.js';
import { trustedKubeconfigs } from './rules/kubeconfigs.js';
import { loneFiles } from './rules/lone-files.js';
import { platformNames, platformRegistry } from './rules/platforms.js';
import { boundedYaml, spreadCalls } from './rules/unbounded.js';
import { forbiddenWords } from './rules/words.js';
import { convergedWrites } from './rules/writes.js';

/** Every rule, in the order of their reports. */
export const rules: readonly Rule[] = [
  scanIsReal,
  importDirections,
  importCycles,
  noExportAll,
  platformNames,
  platformRegistry,
  hostingOnce,
  trustedKubeconfigs,
  boundedYaml,
  spreadCalls,
  convergedWrites,
  loneFiles,
  dependencyReasons,
  deadFiles,
  ambientUse,
  ratchets,
  fileSizes,
  docPaths,
  docCommands,
  docTitles,
  forbiddenWords,
];

/** What all rules find. */
export function runTidy(repo: Repo): Finding[] {
  return rules.flatMap((rule) => rule.check(repo));
}

/** `path:line: [rule] message`, as editors understand it. */
export function formatFinding(finding: Finding): string {
  const place = finding.line === undefined ? finding.path : `${finding.path}:${finding.line}`;
  return `${place}: [${finding.rule}] ${finding.message}`;
}
