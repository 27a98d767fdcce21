import { posix } from 'node:path';

import type { ImportEdge, Module, Package, Repo } from './model.js';

/** Where an import leads. */
export type Target =
  | { readonly kind: 'file'; readonly path: string }
  /** One of our files by its name, but no such file or export is there. */
  | { readonly kind: 'missing'; readonly wanted: string }
  | { readonly kind: 'external'; readonly packageName: string };

/** Follows one import of a module. */
export function resolveImport(repo: Repo, module: Module, edge: ImportEdge): Target {
  const { specifier } = edge;
  if (specifier.startsWith('.')) return resolveRelative(repo, posix.join(posix.dirname(module.path), specifier));
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const own = repo.packages.find((each) => each.name === name);
  if (own === undefined) return { kind: 'external', packageName: name };
  return resolvePackage(own, specifier);
}

function resolvePackage(target: Package, specifier: string): Target {
  const path = target.exports.get(`.${specifier.slice(target.name.length)}`);
  return path === undefined ? { kind: 'missing', wanted: specifier } : { kind: 'file', path };
}

function resolveRelative(repo: Repo, wanted: string): Target {
  // Compiled files are named where no compiler looks: a launcher, or a script in plain JavaScript.
  const source = wanted.replace(/(^|\/)dist\//, '$1src/').replace(/\.([cm]?)js$/, '.$1ts');
  for (const path of [wanted, source]) {
    if (repo.files.has(path)) return { kind: 'file', path };
  }
  return { kind: 'missing', wanted };
}

/** The files each module imports; `runtimeOnly` leaves out what the compiler erases. */
export function importGraph(repo: Repo, runtimeOnly: boolean): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const module of repo.modules.values()) {
    const targets: string[] = [];
    for (const edge of module.imports) {
      if (runtimeOnly && edge.typeOnly) continue;
      const target = resolveImport(repo, module, edge);
      if (target.kind === 'file') targets.push(target.path);
    }
    graph.set(module.path, targets);
  }
  return graph;
}

/** Groups of two or more files that import each other in a circle, and files that import themselves. */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const connect = (node: string): number => {
    const order = index.size;
    index.set(node, order);
    let lowest = order;
    stack.push(node);
    onStack.add(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) lowest = Math.min(lowest, connect(next));
      else if (onStack.has(next)) lowest = Math.min(lowest, index.get(next) ?? order);
    }
    low.set(node, lowest);
    if (lowest === order) {
      const group = stack.splice(stack.indexOf(node));
      for (const member of group) onStack.delete(member);
      if (group.length > 1 || graph.get(node)?.includes(node) === true) cycles.push(group);
    }
    return lowest;
  };
  for (const node of graph.keys()) {
    if (!index.has(node)) connect(node);
  }
  return cycles;
}

/** Everything that can be reached from the entries. */
export function reachable(graph: ReadonlyMap<string, readonly string[]>, entries: Iterable<string>): Set<string> {
  const seen = new Set<string>();
  const open = [...entries];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    open.push(...(graph.get(node) ?? []));
  }
  return seen;
}
