import { RATCHET_PATH } from '../repo.js';
import type { Finding, Module, Place, Repo, Rule } from '../model.js';
import { isTestFile, packageOf } from '../model.js';
import { dialectPlaces } from './dialect.js';
import { folderKnots } from './folders.js';
import { missingChildren } from './reconcilers.js';
import { rawWrites } from './writes.js';

/** Soft budget in lines; the linter refuses more than 400 outright. */
const softLines = 300;

/** One committed file in bytes: more is data that belongs elsewhere. */
const maxBytes = 400_000;

const tables = /(?:^|\/)tables\/|\.table\.ts$|(?:^|\/)tables\.ts$/;

function isShipped(path: string): boolean {
  return !isTestFile(path) && !path.startsWith('tools/') && path.includes('/src/');
}

interface Counted {
  readonly advice: string;
  readonly places: (repo: Repo) => Place[];
}

/** What is counted per package. */
const counted: ReadonlyMap<string, Counted> = new Map([
  [
    'bare-errors',
    {
      // Callers handle errors by type or code, and a bare Error has neither.
      advice: "throw an error of the package's catalogue instead of a bare Error",
      places: inModules((module) => (isShipped(module.path) ? linesOf(module, 'bare-error') : [])),
    },
  ],
  [
    'long-files',
    {
      advice: `split files of more than ${softLines} lines`,
      places: inModules((module) =>
        module.lines > softLines && !isTestFile(module.path) && !tables.test(module.path) ? [softLines] : [],
      ),
    },
  ],
  ['folders', { advice: 'sibling folders import one way: move files or types to cut a circle', places: folderKnots }],
  ['reconcilers', { advice: 'reconcile in one idiom: gather, decide (pure, tested), act', places: missingChildren }],
  ['raw-writes', { advice: 'write through Converger of @capstan/kube', places: rawWrites }],
  ['dialect', { advice: 'use the vocabulary of Kubernetes', places: dialectPlaces }],
]);

/** More are counted, not named. */
const maxNamedPlaces = 20;

function inModules(find: (module: Module) => number[]): (repo: Repo) => Place[] {
  return (repo) =>
    [...repo.modules.values()].flatMap((module) => find(module).map((line) => ({ path: module.path, line })));
}

function linesOf(module: Module, kind: string): number[] {
  return module.facts.filter((fact) => fact.kind === kind).map((fact) => fact.line);
}

/** The counts as they are today, in the form of the ratchet file; zeros are left out. */
export function countRatchets(repo: Repo): Record<string, Record<string, number>> {
  const counts: Record<string, Record<string, number>> = {};
  for (const [rule, { places }] of counted) {
    const perPackage: Record<string, number> = {};
    for (const [dir, found] of byPackage(repo, places(repo))) perPackage[dir] = found.length;
    counts[rule] = perPackage;
  }
  return counts;
}

/** Sorted by path; files outside of packages count for their top folder. */
function byPackage(repo: Repo, places: readonly Place[]): Map<string, Place[]> {
  const packages = new Map<string, Place[]>();
  for (const place of places.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))) {
    const dir = packageOf(repo, place.path)?.dir ?? /^([^/]+)\//.exec(place.path)?.[1] ?? '.';
    const found = packages.get(dir);
    if (found === undefined) packages.set(dir, [place]);
    else found.push(place);
  }
  return packages;
}

function describePlaces(places: readonly Place[]): string {
  const named = places.slice(0, maxNamedPlaces).map(({ path, line, note }) => {
    const at = line === undefined ? path : `${path}:${line}`;
    return note === undefined ? at : `${at} ${note}`;
  });
  const rest = places.length - named.length;
  return named.join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

/** What is counted per package may become less, never more. */
export const ratchets: Rule = {
  name: 'ratchet',
  check: (repo) => {
    const findings: Finding[] = [];
    for (const [rule, { advice, places }] of counted) {
      for (const [dir, found] of byPackage(repo, places(repo))) {
        const allowed = repo.ratchet[rule]?.[dir] ?? 0;
        if (found.length <= allowed) continue;
        const message = `${rule}: ${found.length}, ${allowed} allowed by ${RATCHET_PATH}; ${advice} (${describePlaces(found)})`;
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
