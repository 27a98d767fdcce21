import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

import type { RealKubeAccess } from './tools/src/ci/real-access.ts';
import { planReal, realProjects, suitesOf, type RealProject } from './tools/src/ci/real-suites.ts';
import { presentRealKubes } from './tools/src/ci/real-versions.ts';

// The build, which Node loads as it is: each shard is a process of its own, and would compile the sources again.
const built = [/\/(?:api|libs|operators|providers|apps|tools)\/.*dist\//];

const nowhere: RealKubeAccess = {
  version: 'v0.0.0',
  url: 'https://127.0.0.1:1',
  token: '',
  ca: '',
  kubeconfigPath: '',
};

function project({ files, shard, name, version }: RealProject, order: number): TestProjectInlineConfiguration {
  const names = version === undefined ? {} : { CAPSTAN_REAL_KUBE: version, CAPSTAN_REAL_SHARD: shard.name };
  const hasServer = version !== undefined && shard.bringsServers !== true;
  return {
    test: {
      name,
      include: [...files],
      exclude: ['**/node_modules/**', '**/dist/**'],
      env: { CAPSTAN_BACKEND: 'real', ...names },
      // Never reached: it holds the version to start, and lets the tests be listed, and so counted, where none can run.
      ...(hasServer ? {} : { provide: { realKube: { ...nowhere, version: version ?? nowhere.version } } }),
      globalSetup: hasServer ? ['./tools/src/ci/real-setup.ts'] : [],
      setupFiles: ['./tools/src/ci/property-seed.ts'],
      pool: 'threads',
      server: { deps: { external: built } },
      isolate: false,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      // Caches, discovery and storage of a real server follow its writes a moment later.
      expect: { poll: { timeout: 15_000 } },
      // Files of a shard share a server, so they never run at the same time; shards do, each in a process of its own.
      maxWorkers: 1,
      sequence: { groupOrder: order },
    },
  };
}

const versions = presentRealKubes().map((assets) => assets.version);

export default defineConfig({
  test: {
    reporters: ['default', './tools/src/ci/counts-reporter.ts'],
    passWithNoTests: true,
    projects: realProjects(versions, planReal(suitesOf(import.meta.dirname))).map(project),
  },
});
