import { describe, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { listeners } from './breadth.js';
import { startEmbedded } from './cluster.js';
import { drainScenarios } from './scenarios/draining.js';
import { podScenarios } from './scenarios/pods.js';
import { rolloutScenarios } from './scenarios/rollouts.js';
import { runningScenarios } from './scenarios/running.js';
import { tellScenarios } from './suite.js';

const scenarios = [...rolloutScenarios, ...podScenarios, ...drainScenarios, ...runningScenarios];
const kubectls = findKubectls();
for (const { kubectl, smoke } of listeners(kubectls, { newest: 1 })) {
  const start = () => startEmbedded({ workloads: true });
  tellScenarios({ kubectl, start, backend: 'embedded', scenarios, smoke });
}

if (kubectls.length === 0) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of scenarios) it(name, () => undefined);
  });
}
