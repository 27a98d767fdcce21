import { leaveToFullRun, suiteScope } from '@capstan/tools';
import { describe, inject, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { joinReal } from './cluster.js';
import { behindProxy } from './proxied.js';
import { privateTypeScenarios } from './scenarios/private-types/index.js';
import { streamScenarios } from './scenarios/streams.js';
import { scenarios as allScenarios, describeScenarios } from './suite.js';

const [kubectl] = findKubectls();
const access = inject('realKube');
const smoke = suiteScope() === 'smoke';

/** It prints what the platform serves, not what a proxy shows of it. */
const OF_PLATFORM = 'api-resources -o wide lists resources the way Kubernetes does';

/** All that holds of a server holds through a proxy as well; the smoke subset is enough to find out. */
const others = [...allScenarios, ...streamScenarios].filter(
  ({ asOthers, name, smoke }) => smoke === true && asOthers !== true && name !== OF_PLATFORM,
);

if (kubectl === undefined) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of privateTypeScenarios) it(name, () => undefined);
  });
} else {
  const serverMinor = Number(/^v1\.(\d+)/.exec(access.version)?.[1]);
  const start = () => behindProxy(() => joinReal(access, { node: true }));
  // Where the smoke subset is enough, the scenarios of private types are enough, too.
  const scenarios = smoke ? privateTypeScenarios : [...privateTypeScenarios, ...others];
  if (smoke) leaveToFullRun(others.length, 'scenarios of others through the proxy');
  describeScenarios({ kubectl, start, backend: 'real', smoke, title: 'private types', scenarios, serverMinor });
}
