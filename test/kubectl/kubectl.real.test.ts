import { suiteScope } from '@capstan/tools';
import { describe, inject, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { joinReal } from './cluster.js';
import { scenarios, describeScenarios } from './suite.js';

/** What the scenarios say is true of Kubernetes itself; one client is enough to find out. */
const [kubectl] = findKubectls();
const access = inject('realKube');
const smoke = suiteScope() === 'smoke';

if (kubectl === undefined) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of scenarios) it(name, () => undefined);
  });
} else {
  const serverMinor = Number(/^v1\.(\d+)/.exec(access.version)?.[1]);
  describeScenarios({ kubectl, start: () => joinReal(access), backend: 'real', smoke, title: 'kubectl', serverMinor });
}
