import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Tests read the sources, not the build: the "source" condition of each package's exports.
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['{api,libs,apps,operators,providers,test,tools}/**/src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', 'test/real/**'],
    pool: 'threads',
    isolate: false,
    testTimeout: 20_000,
  },
});
