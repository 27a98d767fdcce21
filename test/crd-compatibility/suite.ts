import type { Transport } from '@capstan/meta';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { definitionStories } from './definition-stories.js';
import { objectStories } from './object-stories.js';
import { operationStories } from './operation-stories.js';
import { requirementStories } from './requirement-stories.js';
import { CheckerWorld } from './world.js';
import type { Story } from './world.js';

const LIMIT_MS = 120_000;

/** The checker beside a server. */
export function tellOfChecker(name: string, connect: () => Promise<Transport>): void {
  describe(`the CRD compatibility checker beside ${name}`, () => {
    let opened: CheckerWorld | undefined;
    beforeAll(async () => {
      opened = await CheckerWorld.open(await connect());
      await opened.replica();
    }, LIMIT_MS);
    afterAll(async () => {
      await opened?.end();
    }, LIMIT_MS);

    const tell = ([title, story]: Story): void =>
      it(
        title,
        async () => {
          if (opened === undefined) throw new TypeError('the server did not start');
          opened.warnings.length = 0;
          await story(opened);
        },
        LIMIT_MS,
      );
    requirementStories.forEach(tell);
    definitionStories.forEach(tell);
    objectStories.forEach(tell);
    // Last: they stop the checker, and start others.
    operationStories.forEach(tell);
  });
}
