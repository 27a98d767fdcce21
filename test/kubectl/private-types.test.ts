import { describe, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { withScope } from './breadth.js';
import { startEmbedded } from './cluster.js';
import { behindProxy } from './proxied.js';
import { privateTypeScenarios } from './scenarios/private-types/index.js';
import { streamScenarios } from './scenarios/streams.js';
import { describeScenarios } from './suite.js';

const kubectls = findKubectls();
for (const { kubectl, smoke } of withScope(kubectls, { newest: 1 })) {
  const start = () => behindProxy(() => startEmbedded({ node: true }));
  const streams = smoke ? [] : streamScenarios.filter((each) => each.smoke === true);
  const scenarios = [...privateTypeScenarios, ...streams];
  describeScenarios({ kubectl, start, backend: 'embedded', scenarios, smoke });
}

if (kubectls.length === 0) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of privateTypeScenarios) it(name, () => undefined);
  });
}
