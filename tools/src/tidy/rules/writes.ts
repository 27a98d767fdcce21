import type { Finding, Place, Repo, Rule } from '../model.js';
import { isTestFile } from '../model.js';

/** Where operators write past the converge library, and why; folders end in a slash. The counts are in the ratchet. */
export const RAW_WRITES: ReadonlyMap<string, string> = new Map([
  ['operators/control-plane/src/config-operator/in-place/steps/drain.ts', 'an eviction is no object'],
  [
    'operators/control-plane/src/config-operator/in-place/steps/upgrade-node.ts',
    'kubelets write Nodes all the time: patches of single annotations that lock nothing',
  ],
  ['operators/crd-compatibility/src/topology/reconcile.ts', 'replicas are set through the scale subresource'],
  ['operators/crd-compatibility/src/webhooks/probe.ts', 'a dry run that asks whether a webhook is called'],
  ['operators/hypershift/src/migration/', 'the engine orders and repeats its writes by the journal'],
]);

/** Writes of operators that the converge library neither decides nor records. */
export function rawWrites(repo: Repo): Place[] {
  return [...repo.modules.values()]
    .filter(({ path }) => path.startsWith('operators/') && !isTestFile(path))
    .flatMap(({ facts, path }) => facts.filter(({ kind }) => kind === 'raw-write').map(({ line }) => ({ path, line })));
}

/** Operators converge objects in one way; a write of another kind is listed with its reason. */
export const convergedWrites: Rule = {
  name: 'writes',
  check: (repo) => {
    const places = rawWrites(repo);
    const isListed = (path: string): boolean =>
      [...RAW_WRITES.keys()].some((each) => (each.endsWith('/') ? path.startsWith(each) : path === each));
    const findings: Finding[] = places
      .filter(({ path }) => !isListed(path))
      .map(({ line, path }) => ({
        rule: 'writes',
        path,
        ...(line === undefined ? {} : { line }),
        message:
          'writes past the converge library: use Converger of @capstan/kube, or list the file with its reason in tools/src/tidy/rules/writes.ts',
      }));
    for (const listed of RAW_WRITES.keys()) {
      const isUsed = places.some(({ path }) => (listed.endsWith('/') ? path.startsWith(listed) : path === listed));
      if (!isUsed && repo.packages.some(({ dir }) => listed.startsWith(`${dir}/`)))
        findings.push({
          rule: 'writes',
          path: listed,
          message: 'is listed in writes.ts and writes nothing: remove it',
        });
    }
    return findings;
  },
};
