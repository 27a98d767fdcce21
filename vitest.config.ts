import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

import { LongFirst } from './tools/src/ci/long-first.ts';

// Tests read the sources, not the build: the "source" condition of each package's exports.
const conditions = ['source', 'node', 'module'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['{api,libs,apps,operators,providers,tools}/**/src/**/*.test.ts', 'test/**/*.test.ts'],
    // What needs a real kube-apiserver has its own configuration and command, `npm run test:real`.
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.real.test.ts'],
    reporters: ['default', './tools/src/ci/counts-reporter.ts'],
    setupFiles: ['./tools/src/ci/property-seed.ts'],
    pool: 'threads',
    // The slowest files wait more than they work: a core is not to be left over for them.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFirst },
    isolate: false,
    testTimeout: 20_000,
  },
});
