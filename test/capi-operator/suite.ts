import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest';
import type { Access } from '../manifests/accounts.js';
import { Stage } from './stage.js';
import { stories } from './stories.js';

const LIMIT_MS = 120_000;

/** The operator with the rights of its own account, on a server of any kind. */
export function tellOfCapiOperator(server: string, start: () => Promise<Access & { stop(): Promise<void> }>): void {
  describe(`the operator of Cluster API's definitions on ${server}`, () => {
    let opened: { stage: Stage; stop(): Promise<void> } | undefined;
    const stage = (): Stage => {
      if (opened === undefined) throw new TypeError('the server did not start');
      return opened.stage;
    };

    beforeAll(async () => {
      const access = await start();
      opened = { stage: new Stage(access, 'capi-operator-test'), stop: () => access.stop() };
      await opened.stage.begin();
    }, LIMIT_MS);
    beforeEach(() => stage().clear(), LIMIT_MS);
    afterEach(() => stage().stop(), LIMIT_MS);
    afterAll(async () => {
      await stage().end();
      await opened?.stop();
    }, LIMIT_MS);

    for (const [title, story] of stories) it(title, () => story(stage()), LIMIT_MS);
  });
}
