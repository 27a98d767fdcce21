import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

import type { RealKubeAccess } from './tools/src/ci/real-access.ts';
import { planReal, realProject, suitesOf } from './tools/src/ci/real-suites.ts';
import { presentRealKubes } from './tools/src/ci/real-versions.ts';

const conditions = ['source', 'node', 'module'];
const { lanes } = planReal(suitesOf(import.meta.dirname));

const nowhere: RealKubeAccess = {
  version: 'v0.0.0',
  url: 'https://127.0.0.1:1',
  token: '',
  ca: '',
  kubeconfigPath: '',
};

/** One lane on one kube-apiserver; without a version it is good for listing the tests only. */
function project(
  lane: string,
  files: readonly string[],
  version: string | undefined,
  order: number,
): TestProjectInlineConfiguration {
  const names = version === undefined ? {} : { CAPSTAN_REAL_KUBE: version, CAPSTAN_REAL_LANE: lane };
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name: realProject(version ?? 'no kube-apiserver', lane),
      include: [...files],
      exclude: ['**/node_modules/**', '**/dist/**'],
      env: { CAPSTAN_BACKEND: 'real', ...names },
      // Never reached: it lets the tests be listed, and so counted, where none can run.
      ...(version === undefined ? { provide: { realKube: nowhere } } : {}),
      globalSetup: version === undefined ? [] : ['./tools/src/ci/real-setup.ts'],
      setupFiles: ['./tools/src/ci/property-seed.ts'],
      pool: 'threads',
      isolate: false,
      testTimeout: 60_000,
      // Caches, discovery and storage of a real server follow its writes a moment later.
      expect: { poll: { timeout: 15_000 } },
      // Files of a lane share a server, so they never run beside each other; lanes do, each in a process of its own.
      maxWorkers: 1,
      sequence: { groupOrder: order },
    },
  };
}

const versions = presentRealKubes().map((assets) => assets.version);
const places = (versions.length === 0 ? [undefined] : versions).flatMap((version) =>
  [...lanes].map(([lane, files]) => ({ lane, files, version })),
);

export default defineConfig({
  test: {
    reporters: ['default', './tools/src/ci/counts-reporter.ts'],
    passWithNoTests: true,
    projects: places.map(({ lane, files, version }, order) => project(lane, files, version, order)),
  },
});
