import { findCycles, importGraph, resolveImport } from '../graph.js';
import type { Finding, ImportEdge, Module, Repo, Rule } from '../model.js';
import { isTestFile, packageOf } from '../model.js';

const engines = ['api', 'libs/meta', 'libs/schema'];
const libraries = [...engines, 'libs/kube', 'libs/convert', 'libs/provider', 'libs/apiserver', 'libs/cluster'];
const everyLibrary = [
  ...libraries,
  'libs/migration',
  'libs/translate',
  'libs/observability',
  'libs/crd-compat',
  'libs/release',
  'libs/hosting',
];

/**
 * Which package folders may be imported from which: `api` <- `libs` <- `providers`, `operators` <- `apps`. A folder
 * with a star stands for each package in it, and never allows one of them to import another.
 */
export const allowedImports: ReadonlyMap<string, readonly string[]> = new Map([
  ['api', []],
  ['libs/meta', ['api']],
  ['libs/schema', ['api', 'libs/meta']],
  ['libs/convert', ['api', 'libs/meta']],
  ['libs/kube', engines],
  ['libs/hosting', ['api', 'libs/meta', 'libs/kube', 'libs/release']],
  ['libs/provider', [...engines, 'libs/kube', 'libs/convert', 'libs/hosting']],
  ['libs/release', engines],
  ['libs/apiserver', engines],
  ['libs/translate', engines],
  ['libs/migration', [...engines, 'libs/kube', 'libs/translate']],
  ['libs/observability', engines],
  ['libs/crd-compat', engines],
  ['libs/cluster', [...engines, 'libs/kube']],
  ['libs/upstream', [...engines, 'libs/kube', 'libs/convert', 'libs/cluster']],
  ['libs/simulation', [...everyLibrary, 'libs/upstream']],
  ['providers/*', ['api', 'libs/meta', 'libs/kube', 'libs/convert', 'libs/hosting', 'libs/provider']],
  ['operators/*', everyLibrary],
  ['apps/*', [...everyLibrary, 'libs/upstream', 'libs/simulation', 'operators/*', 'providers/*']],
  ['tools', [...everyLibrary, 'libs/upstream', 'libs/simulation', 'operators/*', 'providers/*', 'apps/*']],
  ['test', [...everyLibrary, 'libs/upstream', 'libs/simulation', 'operators/*', 'providers/*', 'apps/*', 'tools']],
]);

/** The line of the table that speaks of a package folder. */
function rowOf(dir: string): readonly string[] | undefined {
  return allowedImports.get(dir) ?? allowedImports.get(starred(dir));
}

function starred(dir: string): string {
  return dir.replace(/\/[^/]+$/, '/*');
}

function mayImport(from: string, to: string): boolean {
  const allowed = rowOf(from) ?? [];
  return allowed.includes(to) || allowed.includes(starred(to));
}

function checkEdge(repo: Repo, module: Module, edge: ImportEdge): string | undefined {
  const from = packageOf(repo, module.path);
  if (from === undefined) return undefined;
  const target = resolveImport(repo, module, edge);
  if (target.kind === 'missing') return `imports ${target.wanted}, which is no file and no export of its package`;
  if (target.kind === 'external') return checkExternal(module, target.packageName, from.dependencies);
  const to = packageOf(repo, target.path);
  if (to === undefined || to === from) return undefined;
  if (edge.specifier.startsWith('.')) return `reaches into ${to.dir} by a relative path; import ${to.name}`;
  if (!mayImport(from.dir, to.dir)) return `${from.dir} may not import ${to.dir}`;
  return from.dependencies.has(to.name) ? undefined : `${to.name} is not among the dependencies of ${from.name}`;
}

/** Tools and tests use what the root installs; a shipped package must name what it needs. */
function checkExternal(module: Module, name: string, dependencies: ReadonlySet<string>): string | undefined {
  if (name.startsWith('node:') || isTestFile(module.path) || module.path.startsWith('tools/')) return undefined;
  return dependencies.has(name) ? undefined : `${name} is not among the dependencies of the package`;
}

/** Imports go one way, through package names, to declared dependencies. */
export const importDirections: Rule = {
  name: 'imports',
  check: (repo) => {
    const findings: Finding[] = [];
    for (const each of repo.packages) {
      if (rowOf(each.dir) === undefined) {
        const message = 'the table of import directions does not know this package; add its line';
        findings.push({ rule: 'imports', path: `${each.dir}/package.json`, message });
      }
    }
    for (const module of repo.modules.values()) {
      for (const edge of module.imports) {
        const message = checkEdge(repo, module, edge);
        if (message !== undefined) findings.push({ rule: 'imports', path: module.path, line: edge.line, message });
      }
    }
    return findings;
  },
};

/** No circle of imports that exists at run time. */
export const importCycles: Rule = {
  name: 'cycles',
  check: (repo) =>
    findCycles(importGraph(repo, true)).map((group) => {
      const members = group.toSorted((a, b) => (a < b ? -1 : 1));
      return { rule: 'cycles', path: members[0] ?? '', message: `imports in a circle: ${members.join(', ')}` };
    }),
};

/** `index.ts` names what it exports, so that nothing becomes public by accident. */
export const noExportAll: Rule = {
  name: 'export-all',
  check: (repo) =>
    [...repo.modules.values()].flatMap((module) =>
      module.facts
        .filter((fact) => fact.kind === 'export-all')
        .map((fact) => ({
          rule: 'export-all',
          path: module.path,
          line: fact.line,
          message: '`export *` hides what is public; name each export',
        })),
    ),
};
