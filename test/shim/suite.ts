import type { Transport } from '@capstan/meta';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { World } from '../runtime/world.js';
import {
  openShimWorld,
  tellOfAnAbsentProvider,
  tellOfAnAbsentShim,
  tellOfApplying,
  tellOfCoreKinds,
  tellOfFailures,
  tellOfLists,
} from './stories.js';
import type { ShimWorld } from './stories.js';

const LIMIT_MS = 120_000;

/** Private kinds on a server, converted by the shim. */
export function tellOfShim(name: string, connect: () => Promise<Transport>): void {
  describe(`the conversion shim beside ${name}`, () => {
    let opened: ShimWorld | undefined;
    beforeAll(async () => {
      opened = await openShimWorld(await World.create(await connect()));
    }, LIMIT_MS);
    afterAll(async () => {
      await opened?.end();
      await opened?.world.end();
    }, LIMIT_MS);

    const tell = (title: string, story: (world: ShimWorld) => Promise<void>): void =>
      it(
        title,
        async () => {
          if (opened === undefined) throw new Error('the server did not start');
          await story(opened);
        },
        LIMIT_MS,
      );
    tell('core kinds are written in one version and read in the other', tellOfCoreKinds);
    tell('what is applied in one version is kept when another is applied', tellOfApplying);
    tell('a list of 500 comes whole and in order', tellOfLists);
    tell('version mismatches: an error of whoever converts is told as it is', tellOfFailures);
    tell('standard webhook failure: the server is told to come back, and does', tellOfAnAbsentProvider);
    tell('service unavailability: the error is clear and garbage of other kinds is collected', tellOfAnAbsentShim);
  });
}
