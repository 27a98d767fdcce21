import type { Rule } from '../model.js';
import { isTestFile } from '../model.js';

/** Obeys a kubeconfig, including the commands in it. */
const TRUSTED_LOADER = 'loadConnection';
const REPLACEMENT =
  'kubeconfigs that a cluster holds are data: use untrustedConnection or untrustedKubeconfig of @capstan/kube; a command that reads the file its user names is listed in tools/src/tidy/rules/kubeconfigs.ts';

/** Where the file is the user's own (`--kubeconfig`, `$KUBECONFIG`), or that of the component's own pod. */
const READERS: ReadonlySet<string> = new Set([
  'apps/cli/src/completion/candidates.ts',
  'apps/cli/src/conversion-shim/run.ts',
  'apps/cli/src/crd-compatibility/run.ts',
  'apps/cli/src/crds/cluster.ts',
  'apps/cli/src/hosted/cluster-access.ts',
  'apps/cli/src/operators/run.ts',
  'apps/cli/src/proxy/run.ts',
  'apps/cli/src/version.ts',
  'libs/kube/src/config/load.ts',
  'libs/kube/src/connect.ts',
  'libs/kube/src/index.ts',
  'libs/kube/src/program/operator.ts',
  'libs/simulation/src/runtime/program.ts',
]);

/** The loader that runs commands stays away from kubeconfigs that others write. */
export const trustedKubeconfigs: Rule = {
  name: 'kubeconfigs',
  check: (repo) =>
    [...repo.modules.values()]
      .filter(({ path }) => !READERS.has(path) && !isTestFile(path) && !path.startsWith('tools/'))
      .flatMap(({ facts, path }) => {
        const use = facts.find(({ kind }) => kind === `uses:${TRUSTED_LOADER}`);
        const message = `uses ${TRUSTED_LOADER}; ${REPLACEMENT}`;
        return use === undefined ? [] : [{ rule: 'kubeconfigs', path, line: use.line, message }];
      }),
};
