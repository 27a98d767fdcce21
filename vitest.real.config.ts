import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

import type { RealKubeAccess } from './tools/src/ci/real-access.ts';
import { presentRealKubes } from './tools/src/ci/real-versions.ts';

const conditions = ['source', 'node', 'module'];
const versions = presentRealKubes().map((assets) => assets.version);

const nowhere: RealKubeAccess = {
  version: 'v0.0.0',
  url: 'https://127.0.0.1:1',
  token: '',
  ca: '',
  kubeconfigPath: '',
};

/** One project per kube-apiserver; none at hand leaves one project, which is good for listing the tests only. */
function project(version: string | undefined, order: number): TestProjectInlineConfiguration {
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name: version === undefined ? 'no kube-apiserver' : `kube-apiserver ${version}`,
      include: ['test/**/*.real.test.ts', 'test/**/conformance/**/*.test.ts'],
      exclude: ['**/node_modules/**', '**/dist/**'],
      env: { CAPSTAN_BACKEND: 'real', ...(version === undefined ? {} : { CAPSTAN_REAL_KUBE: version }) },
      // Never reached: it lets the tests be listed, and so counted, where none can run.
      ...(version === undefined ? { provide: { realKube: nowhere } } : {}),
      globalSetup: version === undefined ? [] : ['./tools/src/ci/real-setup.ts'],
      setupFiles: ['./tools/src/ci/property-seed.ts'],
      pool: 'threads',
      isolate: false,
      testTimeout: 60_000,
      // Caches, discovery and storage of a real server follow its writes a moment later.
      retry: 2,
      // One version after the other: two servers at once would fight for the cores.
      sequence: { groupOrder: order },
    },
  };
}

export default defineConfig({
  test: {
    reporters: ['default', './tools/src/ci/counts-reporter.ts'],
    passWithNoTests: true,
    projects: versions.length === 0 ? [project(undefined, 0)] : versions.map(project),
  },
});
