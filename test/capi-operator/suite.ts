import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest';
import type { Access } from '../manifests/accounts.js';
import { Fixture } from './fixture.js';
import { scenarios } from './scenarios.js';

const LIMIT_MS = 120_000;

/** The operator with the permissions of its own account, on a server of any kind. */
export function describeCapiOperator(server: string, start: () => Promise<Access & { stop(): Promise<void> }>): void {
  describe(`the operator of Cluster API's CRDs on ${server}`, () => {
    let opened: { fixture: Fixture; stop(): Promise<void> } | undefined;
    const fixture = (): Fixture => {
      if (opened === undefined) throw new TypeError('the server did not start');
      return opened.fixture;
    };

    beforeAll(async () => {
      const access = await start();
      opened = { fixture: new Fixture(access, 'capi-operator-test'), stop: () => access.stop() };
      await opened.fixture.begin();
    }, LIMIT_MS);
    beforeEach(() => fixture().clear(), LIMIT_MS);
    afterEach(() => fixture().stop(), LIMIT_MS);
    afterAll(async () => {
      await fixture().end();
      await opened?.stop();
    }, LIMIT_MS);

    for (const [title, scenario] of scenarios) it(title, () => scenario(fixture()), LIMIT_MS);
  });
}
