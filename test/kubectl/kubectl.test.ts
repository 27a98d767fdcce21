import { describe, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { withScope } from './breadth.js';
import { startEmbedded } from './cluster.js';
import { scenarios, describeScenarios } from './suite.js';

const kubectls = findKubectls();
/** Those between differ from the newest and the oldest in how they ask; `npm run test:kubectl -- --all` runs all scenarios with all. */
for (const { kubectl, smoke } of withScope(kubectls, { newest: 1, oldest: true })) {
  describeScenarios({ kubectl, start: startEmbedded, backend: 'embedded', smoke });
}

if (kubectls.length === 0) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of scenarios) it(name, () => undefined);
  });
}
