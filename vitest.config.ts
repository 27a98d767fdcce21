import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

import { LongFirst } from './tools/src/ci/long-first.ts';

// A test reads the sources of its own package, and the build of other packages, which Node loads as it is: to compile them here
// would take longer than many a test, and imports that are looked up at every use make what is compiled so slower.
const built = [/\/(?:api|libs|operators|providers|apps|tools)\/.*dist\//];

export default defineConfig({
  test: {
    include: ['{api,libs,apps,operators,providers,tools}/**/src/**/*.test.ts', 'test/**/*.test.ts'],
    // What needs a real kube-apiserver has its own configuration and command, `npm run test:real`.
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.real.test.ts'],
    reporters: ['default', './tools/src/ci/counts-reporter.ts'],
    setupFiles: ['./tools/src/ci/property-seed.ts'],
    pool: 'threads',
    server: { deps: { external: built } },
    // The slowest files wait more than they work: a core is not to be left over for them.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFirst },
    isolate: false,
    testTimeout: 20_000,
  },
});
