import { describe, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { startEmbedded } from './cluster.js';
import { streamScenarios } from './scenarios/streams.js';
import { tellScenarios } from './suite.js';

const kubectls = findKubectls();
/** The newest client hears all, the others the essence. */
for (const [index, kubectl] of kubectls.entries()) {
  const start = () => startEmbedded({ node: true });
  tellScenarios({ kubectl, start, backend: 'embedded', scenarios: streamScenarios, smoke: index >= 1 });
}

if (kubectls.length === 0) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of streamScenarios) it(name, () => undefined);
  });
}
