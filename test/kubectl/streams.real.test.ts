import { suiteScope } from '@capstan/tools';
import { describe, inject, it } from 'vitest';
import { findKubectls } from './binaries.js';
import { joinReal } from './cluster.js';
import { streamScenarios } from './scenarios/streams.js';
import { describeScenarios } from './suite.js';

const [kubectl] = findKubectls();
const access = inject('realKube');
const smoke = suiteScope() === 'smoke';
const PASSES_WEBSOCKETS = { minor: 36, because: 'it speaks SPDY to every kubelet' };

/** Our kubelet behind the real server: the real server must understand its streams, too. */
if (kubectl === undefined) {
  describe.skip('no kubectl on PATH', () => {
    for (const { name } of streamScenarios) it(name, () => undefined);
  });
} else {
  const serverMinor = Number(/^v1\.(\d+)/.exec(access.version)?.[1]);
  const start = () => joinReal(access, { node: true });
  describeScenarios({
    kubectl,
    start,
    backend: 'real',
    smoke,
    title: 'streams',
    scenarios: streamScenarios,
    serverMinor,
  });
  describe('with WebSockets passed on to the kubelet', () => {
    const startTaking = () => joinReal(access, { node: 'takes-websockets' });
    const scenarios = streamScenarios
      .filter(({ name }) => name.endsWith('WebSocket'))
      .map((scenario) => ({ ...scenario, serverSince: PASSES_WEBSOCKETS }));
    describeScenarios({
      kubectl,
      start: startTaking,
      backend: 'real',
      smoke,
      title: 'streams over WebSockets',
      scenarios,
      serverMinor,
    });
  });
}
