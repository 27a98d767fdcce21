import { describe, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { startOwnNodes } from './own-nodes.js';
import { ownNodeScenarios } from './scenarios/own-nodes.js';
import { ownPodScenarios } from './scenarios/own-pods.js';
import { tellScenarios } from './suite.js';

const scenarios = [...ownPodScenarios, ...ownNodeScenarios];
const kubectls = findKubectls();
/** The newest and the oldest client hear all, those between the essence. */
for (const [index, kubectl] of kubectls.entries()) {
  const smoke = index > 0 && index < kubectls.length - 1;
  tellScenarios({ kubectl, start: startOwnNodes, backend: 'embedded', scenarios, smoke });
}

if (kubectls.length === 0) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of scenarios) it(name, () => undefined);
  });
}
