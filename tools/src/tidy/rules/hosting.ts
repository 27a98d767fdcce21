import type { Finding, Repo, Rule } from '../model.js';
import { isTestFile } from '../model.js';

const HOME = 'libs/hosting/src/';
/** The stand-ins of the simulation are written against the names of upstream, which finds a misspelt one here. */
const CHECKED = /^(?:libs\/(?!hosting\/|simulation\/|upstream\/)|operators\/|apps\/|providers\/)[^]*\/src\/[^]*\.ts$/;

/** What libs/hosting defines once for all operators, and how a second definition of it looks. */
const ONCE: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  {
    what: 'how spec.pausedUntil is read (pauseOf, nodePoolPause)',
    pattern: /(?:parseTime|Date\.parse|new Date|new Set|Boolean)\([^)]*pausedUntil|pausedUntil[^;]*(?:===|!==) '/i,
  },
  {
    what: 'the reasons and texts of ReconciliationActive (reconciliationActive)',
    pattern:
      /['"`](?:ReconciliationPaused|InvalidPausedUntilValue|Reconciliation paused until|Reconciliation active on)/,
  },
  { what: 'how a release is looked up again (releaseRetryMs)', pattern: /\btransient: [\d_]+, lasting:/ },
  { what: 'which conditions become warning events (newComplaints)', pattern: /function newComplaints\(/ },
  { what: 'the condition ControlPlaneUpToDate (LEGACY_VERSION_CONDITION)', pattern: /'ControlPlaneUpToDate'/ },
  {
    what: 'how the owner annotations are read (clusterOf, nodePoolOf)',
    pattern: /(?:CLUSTER|NODE_POOL)_ANNOTATION\]\?\.split\('\/'\) \?\?/,
  },
];

/** The names of annotations and labels that libs/hosting defines: `hypershift.openshift.io/…`, `capstan.dev/…`. */
function namesIn({ files }: Repo): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [path, text] of files)
    if (path.startsWith(`${HOME}annotations/`))
      for (const [, name = ''] of text.matchAll(/'((?:[\w-]+\.)*(?:hypershift\.openshift\.io|capstan\.dev)\/[\w-]+)'/g))
        names.add(name);
  return names;
}

/** The annotation that a line spells out though libs/hosting has it; whole, or behind a constant with the prefix. */
function spelledOut(line: string, names: ReadonlySet<string>): string | undefined {
  for (const [, name = ''] of line.matchAll(/['"`]([\w.-]+\/[\w-]+)['"`=]/g)) if (names.has(name)) return name;
  for (const [, end = ''] of line.matchAll(/\$\{\w*PREFIX\w*\}\/([\w-]+)[`=]/g))
    for (const name of [`hypershift.openshift.io/${end}`, `capstan.dev/${end}`]) if (names.has(name)) return name;
  return undefined;
}

/** What hosted clusters mean is defined in libs/hosting, and nowhere a second time. */
export const hostingOnce: Rule = {
  name: 'hosting-once',
  check: (repo) => {
    const names = namesIn(repo);
    const findings: Finding[] = [];
    for (const [path, text] of repo.files) {
      if (!CHECKED.test(path) || isTestFile(path)) continue;
      text.split('\n').forEach((line, at) => {
        const found = ONCE.find(({ pattern }) => pattern.test(line))?.what ?? spelledOut(line, names);
        if (found === undefined) return;
        const message = `defines ${found} a second time; import it from @capstan/hosting`;
        findings.push({ rule: 'hosting-once', path, line: at + 1, message });
      });
    }
    return findings;
  },
};
