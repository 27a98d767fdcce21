import { describe, inject, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { joinRealWithNodes } from './own-nodes.js';
import { ownNodeScenarios } from './scenarios/own-nodes.js';
import { ownPodScenarios } from './scenarios/own-pods.js';
import { describeScenarios } from './suite.js';

const scenarios = [...ownPodScenarios, ...ownNodeScenarios];
const [kubectl] = findKubectls();
const access = inject('realKube');

/** Our scheduler, nodes and controllers as clients of the real server, which asks our kubelets as it would any others. */
if (kubectl === undefined) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of scenarios) it(name, () => undefined);
  });
} else {
  describeScenarios({ kubectl, start: () => joinRealWithNodes(access), backend: 'real', scenarios });
}
