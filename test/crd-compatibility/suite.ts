import type { Transport } from '@capstan/meta';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { definitionScenarios } from './crd-scenarios.js';
import { objectScenarios } from './object-scenarios.js';
import { operationScenarios } from './operation-scenarios.js';
import { requirementScenarios } from './requirement-scenarios.js';
import { CheckerFixture } from './fixture.js';
import type { Scenario } from './fixture.js';

const LIMIT_MS = 120_000;

/** The checker on a server. */
export function describeChecker(name: string, connect: () => Promise<Transport>): void {
  describe(`the CRD compatibility checker on ${name}`, () => {
    let opened: CheckerFixture | undefined;
    beforeAll(async () => {
      opened = await CheckerFixture.open(await connect());
      await opened.replica();
    }, LIMIT_MS);
    afterAll(async () => {
      await opened?.end();
    }, LIMIT_MS);

    const register = ([title, scenario]: Scenario): void =>
      it(
        title,
        async () => {
          if (opened === undefined) throw new TypeError('the server did not start');
          opened.warnings.length = 0;
          await scenario(opened);
        },
        LIMIT_MS,
      );
    requirementScenarios.forEach(register);
    definitionScenarios.forEach(register);
    objectScenarios.forEach(register);
    // Last: they stop the checker, and start others.
    operationScenarios.forEach(register);
  });
}
