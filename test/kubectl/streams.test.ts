import { describe, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { listeners } from './breadth.js';
import { startEmbedded } from './cluster.js';
import { streamScenarios } from './scenarios/streams.js';
import { tellScenarios } from './suite.js';

const kubectls = findKubectls();
for (const { kubectl, smoke } of listeners(kubectls, { newest: 1 })) {
  const start = () => startEmbedded({ node: true });
  tellScenarios({ kubectl, start, backend: 'embedded', scenarios: streamScenarios, smoke });
}

if (kubectls.length === 0) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of streamScenarios) it(name, () => undefined);
  });
}
