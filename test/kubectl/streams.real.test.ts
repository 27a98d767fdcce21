import { describe, inject, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { joinReal } from './cluster.js';
import { streamScenarios } from './scenarios/streams.js';
import { tellScenarios } from './suite.js';

const [kubectl] = findKubectls();
const access = inject('realKube');
/** Older servers speak SPDY to every kubelet. */
const PASSES_WEBSOCKETS = 36;

/** Our kubelet behind the real server: what it says must be understood there too. */
if (kubectl === undefined) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of streamScenarios) it(name, () => undefined);
  });
} else {
  const serverMinor = Number(/^v1\.(\d+)/.exec(access.version)?.[1]);
  const start = () => joinReal(access, { node: true });
  tellScenarios({ kubectl, start, backend: 'real', scenarios: streamScenarios, serverMinor });
  describe.skipIf(serverMinor < PASSES_WEBSOCKETS)('with WebSockets passed on to the kubelet', () => {
    const startTaking = () => joinReal(access, { node: 'takes-websockets' });
    const scenarios = streamScenarios.filter(({ name }) => name.endsWith('WebSocket'));
    tellScenarios({ kubectl, start: startTaking, backend: 'real', scenarios, serverMinor });
  });
}
