import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest';
import type { Access } from '../manifests/accounts.js';
import { preflight } from './preflight.js';
import { scenarios } from './scenarios.js';
import { Workflows } from './workflows.js';

const LIMIT_MS = 180_000;

/** The workflows of those who share a CRD, on a server of any kind. */
export function describeWorkflows(server: string, start: () => Promise<Access & { stop(): Promise<void> }>): void {
  describe(`the users of a shared CRD on ${server}`, () => {
    let opened: { flow: Workflows; stop(): Promise<void> } | undefined;
    const flow = (): Workflows => {
      if (opened === undefined) throw new TypeError('the server did not start');
      return opened.flow;
    };

    beforeAll(async () => {
      const access = await start();
      opened = { flow: await Workflows.open(access), stop: () => access.stop() };
    }, LIMIT_MS);
    beforeEach(() => flow().fixture.clear(), LIMIT_MS);
    afterEach(() => flow().fixture.stop(), LIMIT_MS);
    afterAll(async () => {
      await opened?.flow.end();
      await opened?.stop();
    }, LIMIT_MS);

    for (const [title, scenario] of [...scenarios, preflight]) it(title, () => scenario(flow()), LIMIT_MS);
  });
}
