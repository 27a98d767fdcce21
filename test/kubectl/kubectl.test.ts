import { describe, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { listeners } from './breadth.js';
import { startEmbedded } from './cluster.js';
import { scenarios, tellScenarios } from './suite.js';

const kubectls = findKubectls();
/** Those between differ from the newest and the oldest in how they ask; `npm run test:kubectl -- --all` tells all everything. */
for (const { kubectl, smoke } of listeners(kubectls, { newest: 1, oldest: true })) {
  tellScenarios({ kubectl, start: startEmbedded, backend: 'embedded', smoke });
}

if (kubectls.length === 0) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of scenarios) it(name, () => undefined);
  });
}
