import { describe, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { withScope } from './breadth.js';
import { startOwnNodes } from './own-nodes.js';
import { ownNodeScenarios } from './scenarios/own-nodes.js';
import { ownPodScenarios } from './scenarios/own-pods.js';
import { describeScenarios } from './suite.js';

const scenarios = [...ownPodScenarios, ...ownNodeScenarios];
const kubectls = findKubectls();
for (const { kubectl, smoke } of withScope(kubectls, { newest: 1, oldest: true })) {
  describeScenarios({ kubectl, start: startOwnNodes, backend: 'embedded', scenarios, smoke });
}

if (kubectls.length === 0) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of scenarios) it(name, () => undefined);
  });
}
