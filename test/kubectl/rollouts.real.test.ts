import { suiteScope } from '@capstan/tools';
import { describe, inject, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { joinReal } from './cluster.js';
import { drainScenarios } from './scenarios/draining.js';
import { podScenarios } from './scenarios/pods.js';
import { rolloutScenarios } from './scenarios/rollouts.js';
import { runningScenarios } from './scenarios/running.js';
import { describeScenarios } from './suite.js';

const scenarios = [...rolloutScenarios, ...podScenarios, ...drainScenarios, ...runningScenarios];
const [kubectl] = findKubectls();
const access = inject('realKube');
const smoke = suiteScope() === 'smoke';

if (kubectl === undefined) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of scenarios) it(name, () => undefined);
  });
} else {
  const start = () => joinReal(access, { workloads: true });
  describeScenarios({ kubectl, start, backend: 'real', smoke, title: 'rollouts', scenarios });
}
