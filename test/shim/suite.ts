import type { Transport } from '@capstan/meta';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { Fixture } from '../runtime/fixture.js';
import {
  openShimFixture,
  describeAbsentProvider,
  describeAbsentShim,
  describeApplying,
  describeCoreKinds,
  describeFailures,
  describeLists,
} from './scenarios.js';
import type { ShimFixture } from './scenarios.js';

const LIMIT_MS = 120_000;

/** Private kinds on a server, converted by the shim. */
export function describeShim(name: string, connect: () => Promise<Transport>): void {
  describe(`the conversion shim on ${name}`, () => {
    let opened: ShimFixture | undefined;
    beforeAll(async () => {
      opened = await openShimFixture(await Fixture.create(await connect()));
    }, LIMIT_MS);
    afterAll(async () => {
      await opened?.end();
      await opened?.fixture.end();
    }, LIMIT_MS);

    const register = (title: string, scenario: (fixture: ShimFixture) => Promise<void>): void =>
      it(
        title,
        async () => {
          if (opened === undefined) throw new Error('the server did not start');
          await scenario(opened);
        },
        LIMIT_MS,
      );
    register('core kinds are written in one version and read in the other', describeCoreKinds);
    register('what is applied in one version is kept when another is applied', describeApplying);
    register('a list of 500 comes whole and in order', describeLists);
    register('version mismatches: an error of the converter is returned as it is', describeFailures);
    register('standard webhook failure: the server gets a retriable error, and retries', describeAbsentProvider);
    register('service unavailability: the error is clear and garbage of other kinds is collected', describeAbsentShim);
  });
}
