import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

import { presentRealKubes } from './tools/src/ci/real-versions.ts';

const conditions = ['source', 'node', 'module'];
const versions = presentRealKubes().map((assets) => assets.version);

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
      globalSetup: version === undefined ? [] : ['./tools/src/ci/real-setup.ts'],
      pool: 'threads',
      isolate: false,
      testTimeout: 60_000,
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
