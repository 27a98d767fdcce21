import { resolveImport } from '../graph.js';
import type { Finding, Package, Repo, Rule } from '../model.js';
import { packageOf } from '../model.js';

/** The one module that knows which platforms there are. */
const REGISTRY = 'apps/cli/src/platforms.ts';
/** What works for any platform, and so may name none; tables of others' words aside. */
const CORE = /^(?:operators\/(?:hypershift|control-plane)|libs\/(?:hosting|provider))\/src\/.*\.ts$/;
const TABLES = /^libs\/hosting\/src\/annotations\/|\.table\.ts$/;
/** Names that are English words too: they count only quoted, next to the word platform. */
const ORDINARY = new Set(['agent', 'none']);

function providersOf({ packages }: Repo): Package[] {
  return packages.filter(({ dir }) => dir.startsWith('providers/'));
}

/** What a platform is called: by its folder, and by `type` in what it exports. */
function namesOf(repo: Repo, { dir }: Package): string[] {
  const text = repo.files.get(`${dir}/src/index.ts`) ?? '';
  const type = /^\s+type: '(\w+)',$/m.exec(text)?.[1];
  return [dir.slice('providers/'.length), ...(type === undefined ? [] : [type])];
}

function patternOf(name: string): RegExp {
  if (ORDINARY.has(name.toLowerCase()))
    return new RegExp(`platform.*['"\`]${name}['"\`]|['"\`]${name}['"\`].*platform`, 'i');
  // A short name may end a word of the language: only its own beginning, or capitals, are meant.
  const first = name.slice(0, 1).toUpperCase();
  return new RegExp(`(?<![A-Za-z])${name}|${name.toUpperCase()}|${first}${name.slice(1).toLowerCase()}(?![a-z])`);
}

/** Core works for any platform: it names none, and so needs no change for another. */
export const platformNames: Rule = {
  name: 'platform-names',
  check: (repo) => {
    const names = providersOf(repo).flatMap((each) => namesOf(repo, each));
    const patterns = names.map((name) => [name, patternOf(name)] as const);
    const findings: Finding[] = [];
    for (const [path, text] of repo.files) {
      if (!CORE.test(path) || TABLES.test(path)) continue;
      text.split('\n').forEach((line, at) => {
        const found = patterns.find(([, pattern]) => pattern.test(line));
        if (found === undefined) return;
        const message = `core names the platform ${found[0]}; ask the platform instead, through libs/provider`;
        findings.push({ rule: 'platform-names', path, line: at + 1, message });
      });
    }
    return findings;
  },
};

/** A platform is taken out by its folder and its line in the registry: nothing else may know it. */
export const platformRegistry: Rule = {
  name: 'platform-registry',
  check: (repo) => {
    const findings: Finding[] = [];
    for (const module of repo.modules.values()) {
      for (const edge of module.imports) {
        const target = resolveImport(repo, module, edge);
        if (!('path' in target)) continue;
        const to = packageOf(repo, target.path);
        if (to === undefined || !to.dir.startsWith('providers/')) continue;
        if (module.path === REGISTRY || module.path.startsWith(`${to.dir}/`)) continue;
        const message = `imports ${to.name}; only ${REGISTRY} may, so that a platform can be taken out`;
        findings.push({ rule: 'platform-registry', path: module.path, line: edge.line, message });
      }
    }
    return findings;
  },
};
