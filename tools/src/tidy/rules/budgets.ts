import { RATCHET_PATH } from '../repo.js';
import type { Finding, Module, Repo, Rule } from '../model.js';
import { isTestFile, packageOf } from '../model.js';

/** Soft budget in lines; the linter refuses more than 400 outright. */
const softLines = 300;

/** One committed file in bytes: more is data that belongs elsewhere. */
const maxBytes = 400_000;

const tables = /(?:^|\/)tables\/|\.table\.ts$|(?:^|\/)tables\.ts$/;

function isShipped(path: string): boolean {
  return !isTestFile(path) && !path.startsWith('tools/') && path.includes('/src/');
}

/** Places of the sins counted by package, one rule each. */
const counted: ReadonlyMap<string, (module: Module) => number[]> = new Map([
  [
    // A caller cannot tell one bare Error from another: each package has a catalogue of its own.
    'bare-errors',
    (module) => (isShipped(module.path) ? linesOf(module, 'bare-error') : []),
  ],
  [
    'long-files',
    (module) => (module.lines > softLines && !isTestFile(module.path) && !tables.test(module.path) ? [softLines] : []),
  ],
]);

function linesOf(module: Module, kind: string): number[] {
  return module.facts.filter((fact) => fact.kind === kind).map((fact) => fact.line);
}

const advice: Readonly<Record<string, string>> = {
  'bare-errors': "throw an error of the package's catalogue instead of a bare Error",
  'long-files': `split files of more than ${softLines} lines`,
};

/** The counts as they are today, in the form of the ratchet file; zeros are left out. */
export function countSins(repo: Repo): Record<string, Record<string, number>> {
  const counts: Record<string, Record<string, number>> = {};
  for (const [rule, places] of counted) {
    const perPackage: Record<string, number> = {};
    for (const [dir, found] of placesByPackage(repo, places)) perPackage[dir] = found.length;
    counts[rule] = perPackage;
  }
  return counts;
}

function placesByPackage(repo: Repo, places: (module: Module) => number[]): Map<string, string[]> {
  const byPackage = new Map<string, string[]>();
  for (const path of [...repo.modules.keys()].toSorted((a, b) => (a < b ? -1 : 1))) {
    const module = repo.modules.get(path);
    const dir = packageOf(repo, path)?.dir;
    if (module === undefined || dir === undefined) continue;
    const found = places(module).map((line) => `${path}:${line}`);
    if (found.length > 0) byPackage.set(dir, [...(byPackage.get(dir) ?? []), ...found]);
  }
  return byPackage;
}

/** Old sins are counted per package; the count may fall, never rise. */
export const ratchets: Rule = {
  name: 'ratchet',
  check: (repo) => {
    const findings: Finding[] = [];
    for (const [rule, places] of counted) {
      for (const [dir, found] of placesByPackage(repo, places)) {
        const allowed = repo.ratchet[rule]?.[dir] ?? 0;
        if (found.length <= allowed) continue;
        const message = `${rule}: ${found.length}, ${allowed} allowed by ${RATCHET_PATH}; ${advice[rule] ?? ''} (${found.join(', ')})`;
        findings.push({ rule: 'ratchet', path: dir, message });
      }
    }
    return findings;
  },
};

/** No committed file is bigger than a person would review. */
export const fileSizes: Rule = {
  name: 'file-size',
  check: (repo) =>
    [...repo.files]
      .filter(([path, text]) => path !== 'package-lock.json' && Buffer.byteLength(text) > maxBytes)
      .map(([path]) => ({ rule: 'file-size', path, message: `is bigger than ${maxBytes} bytes` })),
};
