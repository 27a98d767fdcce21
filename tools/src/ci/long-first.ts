import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/**
 * Files that take more than eight seconds, the longest first. The runner knows nothing of them on a fresh clone and goes
 * by size; some of these are short, and one that begins last is waited for by nobody but the clock.
 */
export const LONG_FILES: readonly string[] = [
  'test/up/tutorial.test.ts',
  'test/up/migrate.test.ts',
  'test/up/screen.test.ts',
  'test/up/hosted.test.ts',
  'test/cluster/controllers.test.ts',
  'test/kubectl/kubectl.test.ts',
  'test/hosted/private.test.ts',
  'test/hosted/hosting.test.ts',
  'libs/crd-compat/src/own-definitions.test.ts',
  'libs/simulation/src/scenarios/machine-scenarios.test.ts',
  'libs/simulation/src/scenarios/scenarios.test.ts',
  'apps/cli/src/install/rollout-cluster.test.ts',
  'test/manifests/install.test.ts',
  'apps/cli/src/install/hypershift.test.ts',
  'apps/cli/src/up/run.test.ts',
  'test/kubectl/own-nodes.test.ts',
  'test/hosted-cluster/operator.test.ts',
  'test/hosted-cluster/two-operators.test.ts',
  'test/kubectl/streams.test.ts',
  'test/kubectl/private-types.test.ts',
  'test/kubectl/rollouts.test.ts',
  'test/runtime/leader-processes.test.ts',
  'test/hosted/faults.test.ts',
  'test/hosted/from-zero.test.ts',
  'test/control-plane-version/hosted-clusters.test.ts',
  'test/up/upgrade.test.ts',
  'test/control-plane-version/control-plane-version.test.ts',
  'test/migration/simulation/fleet.test.ts',
  'test/migration/crashes/crashes.test.ts',
  'test/machine-sync/deletion.test.ts',
  'test/machine-sync/copies.test.ts',
  'test/machine-sync/control-plane.test.ts',
  'test/machine-sync/alone.test.ts',
  'test/machine-sync/crashes.test.ts',
  'test/machine-sync/specification.test.ts',
  'apps/cli/src/machine-api/rehearsal/run.test.ts',
  'test/migration/golden/golden.test.ts',
  'test/control-plane/control-plane.test.ts',
  'test/runtime/informer-crowd.test.ts',
  'test/durability/kill.test.ts',
  'libs/crd-compat/src/self-proving.test.ts',
  'test/node-pools/node-pools.test.ts',
  'test/runtime/informer-restart.test.ts',
  'test/crd-compatibility/checker.test.ts',
  'providers/openstack/src/conversion/conversion.test.ts',
  'test/conformance/api-kinds.test.ts',
  'test/up/up.test.ts',
  'tools/src/api-kinds/generate/generate.test.ts',
  'test/control-plane/hosted-cluster.test.ts',
];

function rank(path: string): number {
  const at = LONG_FILES.findIndex((file) => path.endsWith(`/${file}`));
  return at === -1 ? LONG_FILES.length : at;
}

/** Begins with the files that take longest; the others come as the runner has them. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a.moduleId) - rank(b.moduleId));
  }
}
