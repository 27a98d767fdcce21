import { describe, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { startEmbedded } from './cluster.js';
import { scenarios, tellScenarios } from './suite.js';

const kubectls = findKubectls();
/** All is told by the two newest clients and by the oldest; those between differ from them in how they ask. */
const NEWEST = 2;

for (const [index, kubectl] of kubectls.entries()) {
  const smoke = index >= NEWEST && index < kubectls.length - 1;
  tellScenarios({ kubectl, start: startEmbedded, backend: 'embedded', smoke });
}

if (kubectls.length === 0) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of scenarios) it(name, () => undefined);
  });
}
