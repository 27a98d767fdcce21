import { describe, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { withScope } from './breadth.js';
import { startEmbedded } from './cluster.js';
import { drainScenarios } from './scenarios/draining.js';
import { podScenarios } from './scenarios/pods.js';
import { rolloutScenarios } from './scenarios/rollouts.js';
import { runningScenarios } from './scenarios/running.js';
import { describeScenarios } from './suite.js';

const scenarios = [...rolloutScenarios, ...podScenarios, ...drainScenarios, ...runningScenarios];
const kubectls = findKubectls();
for (const { kubectl, smoke } of withScope(kubectls, { newest: 1 })) {
  const start = () => startEmbedded({ workloads: true });
  describeScenarios({ kubectl, start, backend: 'embedded', scenarios, smoke });
}

if (kubectls.length === 0) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of scenarios) it(name, () => undefined);
  });
}
