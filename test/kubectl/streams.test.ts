import { describe, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { withScope } from './breadth.js';
import { startEmbedded } from './cluster.js';
import { streamScenarios } from './scenarios/streams.js';
import { describeScenarios } from './suite.js';

const kubectls = findKubectls();
for (const { kubectl, smoke } of withScope(kubectls, { newest: 1 })) {
  const start = () => startEmbedded({ node: true });
  describeScenarios({ kubectl, start, backend: 'embedded', scenarios: streamScenarios, smoke });
}

if (kubectls.length === 0) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of streamScenarios) it(name, () => undefined);
  });
}
