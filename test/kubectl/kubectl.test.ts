import { describe, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { startEmbedded } from './cluster.js';
import { scenarios, tellScenarios } from './suite.js';

const kubectls = findKubectls();
/** All is told by the two newest clients; the older ones differ in how they ask, not in what they understand. */
const THOROUGH = 2;

for (const [index, kubectl] of kubectls.entries()) {
  tellScenarios({ kubectl, start: startEmbedded, backend: 'embedded', smoke: index >= THOROUGH });
}

if (kubectls.length === 0) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of scenarios) it(name, () => undefined);
  });
}
