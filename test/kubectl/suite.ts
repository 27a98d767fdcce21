import { leaveToFullRun } from '@capstan/tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Kubectl } from './binaries.js';
import type { Cluster } from './cluster.js';
import type { Scenario } from './scenario.js';
import { accessingScenarios } from './scenarios/accessing.js';
import { applyingScenarios } from './scenarios/applying.js';
import { changingScenarios } from './scenarios/changing.js';
import { convertingScenarios } from './scenarios/converting.js';
import { customResourceScenarios } from './scenarios/custom-resources.js';
import { deletingScenarios } from './scenarios/deleting.js';
import { describingScenarios } from './scenarios/describing.js';
import { discoveryScenarios } from './scenarios/discovery.js';
import { hostedClusterScenarios } from './scenarios/hosted-clusters.js';
import { operatorStatusScenarios } from './scenarios/operator-status.js';
import { policyScenarios } from './scenarios/policies.js';
import { readingScenarios } from './scenarios/reading.js';
import { refusingScenarios } from './scenarios/refusing.js';
import { webhookScenarios } from './scenarios/webhooks.js';
import { waitingScenarios } from './scenarios/waiting.js';
import { writingScenarios } from './scenarios/writing.js';
import { Session } from './session.js';

/** Every scenario there is. */
export const scenarios: readonly Scenario[] = [
  ...discoveryScenarios,
  ...readingScenarios,
  ...writingScenarios,
  ...applyingScenarios,
  ...changingScenarios,
  ...refusingScenarios,
  ...deletingScenarios,
  ...waitingScenarios,
  ...describingScenarios,
  ...accessingScenarios,
  ...customResourceScenarios,
  ...hostedClusterScenarios,
  ...convertingScenarios,
  ...webhookScenarios,
  ...policyScenarios,
  ...operatorStatusScenarios,
];

export interface SuiteOptions {
  /** Default: all but those that need workload controllers. */
  readonly scenarios?: readonly Scenario[];
  readonly kubectl: Kubectl;
  readonly start: () => Promise<Cluster>;
  readonly backend: Cluster['backend'];
  /** Only the smoke subset. */
  readonly smoke?: boolean;
  /** Set where scenarios that are left out must be counted. */
  readonly title?: string;
  /** The server's, where it is one of several. */
  readonly serverMinor?: number;
}

/** A scenario starts up to twenty processes, and others run at the same time. */
const SCENARIO_LIMIT_MS = 120_000;

/** Runs the scenarios with one kubectl against a server of its own. */
export function describeScenarios(options: SuiteOptions): void {
  const { kubectl, smoke = false } = options;
  const all = options.scenarios ?? scenarios;
  const chosen = all.filter((scenario) => !smoke || scenario.smoke === true);
  if (options.title !== undefined) leaveToFullRun(all.length - chosen.length, `scenarios of ${options.title}`);
  if (chosen.length === 0) return;
  describe.concurrent(`kubectl 1.${kubectl.minor}`, () => {
    let cluster: Cluster | undefined;
    beforeAll(async () => {
      cluster = await options.start();
    }, SCENARIO_LIMIT_MS);
    afterAll(async () => {
      await cluster?.stop();
      expect(cluster?.errors ?? []).toEqual([]);
    }, SCENARIO_LIMIT_MS);
    for (const { name, serverSince } of chosen.filter((scenario) => isTooOld(scenario, options.serverMinor)))
      console.log(`exempt: ${name} [real-1.${options.serverMinor}]: ${serverSince?.because}`);
    for (const scenario of chosen) {
      const skipped = (scenario.since ?? 0) > kubectl.minor || isTooOld(scenario, options.serverMinor);
      const { lacking } = scenario;
      const fails = lacking !== undefined && options.backend === 'embedded' && kubectl.minor >= (lacking.since ?? 0);
      const name = fails ? `${scenario.name} [lacking: ${lacking.what}]` : scenario.name;
      it.skipIf(skipped)(name, { timeout: SCENARIO_LIMIT_MS, fails }, async () => {
        if (cluster === undefined) throw new Error('the cluster did not start');
        const session = new Session(cluster, kubectl);
        try {
          await session.open();
          await scenario.run(session);
        } finally {
          session.close();
        }
      });
    }
  });
}

function isTooOld({ serverSince }: Scenario, serverMinor: number | undefined): boolean {
  return serverSince !== undefined && serverMinor !== undefined && serverMinor < serverSince.minor;
}
