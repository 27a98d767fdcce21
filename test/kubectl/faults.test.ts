import { describe, expect, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { startEmbedded } from './cluster.js';
import type { Scenario } from './scenario.js';
import { describeScenarios } from './suite.js';

/** Only the embedded server can be made to fail. */
const faultScenarios: readonly Scenario[] = [
  {
    name: 'a client that gets Retry-After comes back',
    run: async (k) => {
      const fault = {
        match: { namespace: k.namespace, resource: 'configmaps' },
        action: { type: 'status', code: 429, retryAfterSeconds: 1 },
        times: 1,
      };
      await k.prints('create cm one --from-literal=a=1', 'configmap/one created\n');
      await k.output(`create --raw /debug/faults -f ${k.file('fault.json', [fault])}`);
      const began = performance.now();
      await k.prints('get cm one -o name', 'configmap/one\n');
      expect(performance.now() - began).toBeGreaterThan(1000);
    },
  },
];

const [kubectl] = findKubectls();
if (kubectl === undefined) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of faultScenarios) it(name, () => undefined);
  });
} else {
  describeScenarios({ kubectl, start: startEmbedded, backend: 'embedded', scenarios: faultScenarios });
}
