import { posix } from 'node:path';

import { findCycles, importGraph } from '../graph.js';
import type { Place, Repo } from '../model.js';
import { isTestFile } from '../model.js';

/** Imports named per knot; those between the two members with the fewest come first. */
const maxNamedImports = 6;

/**
 * Sibling folders, at every depth, that import each other in a circle; one place for each folder or file in the circle.
 * Imports of types count: a reader follows those as well. Tests do not, since they may use everything.
 */
export function folderKnots(repo: Repo): Place[] {
  const graph = new Map([...importGraph(repo, false)].filter(([path]) => !isLeftOut(path)));
  return repo.packages.flatMap(({ dir }) => {
    const mine = [...graph.keys()].filter((path) => path.startsWith(`${dir}/`));
    return [...parentsOf(dir, mine)].toSorted().flatMap((parent) => knotsIn(parent, mine, graph));
  });
}

/** What is below `test/` serves tests alone, and is layered all the same. */
function isLeftOut(path: string): boolean {
  return path.startsWith('test/') ? path.endsWith('.test.ts') : isTestFile(path);
}

function parentsOf(dir: string, files: readonly string[]): Set<string> {
  const parents = new Set<string>();
  for (const file of files) {
    for (let at = posix.dirname(file); at.length > dir.length; at = posix.dirname(at)) parents.add(posix.dirname(at));
  }
  return parents;
}

/** The child of `parent` that holds the file: a folder with a slash at its end, or the file itself. */
function childOf(parent: string, file: string): string | undefined {
  if (!file.startsWith(`${parent}/`)) return undefined;
  const rest = file.slice(parent.length + 1);
  const slash = rest.indexOf('/');
  if (slash >= 0) return rest.slice(0, slash + 1);
  return rest === 'index.ts' ? undefined : rest;
}

function knotsIn(parent: string, files: readonly string[], graph: ReadonlyMap<string, readonly string[]>): Place[] {
  const edges = new Map<string, string[]>();
  const reasons = new Map<string, string[]>();
  for (const file of files) {
    const from = childOf(parent, file);
    if (from === undefined) continue;
    for (const target of graph.get(file) ?? []) {
      const to = childOf(parent, target);
      if (to === undefined || to === from || !graph.has(target)) continue;
      append(edges, from, to);
      append(reasons, `${from} ${to}`, `${file} imports ${target}`);
    }
  }
  return findCycles(edges)
    .filter((knot) => knot.filter((member) => member.endsWith('/')).length > 1)
    .flatMap((knot) => {
      const note = describeKnot(knot, reasons);
      return knot.toSorted().map((member) => ({ path: `${parent}/${member}`, note }));
    });
}

function describeKnot(knot: readonly string[], reasons: ReadonlyMap<string, readonly string[]>): string {
  const inside = [...reasons].filter(([pair]) => pair.split(' ').every((member) => knot.includes(member)));
  const imports = inside.toSorted(([, a], [, b]) => a.length - b.length).flatMap(([, list]) => list);
  const rest = imports.length - maxNamedImports;
  return imports.slice(0, maxNamedImports).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
