import { systemRandom } from '@capstan/kube';
import type { Connection } from '@capstan/kube';
import { propertySeed } from '@capstan/tools';
import { GroupMapping } from '@capstan/translate';
import { expect, it } from 'vitest';
import { reachedPlatform } from './reached.js';
import type { Logged } from './reached.js';
import { runRound } from './round.js';
import { CONFLICTS } from './scenarios.js';
import { openFixture } from './fixture.js';
import type { Fixture } from './fixture.js';

/** A server to be looked into. */
export interface Watched {
  readonly connection: Connection;
  /** Its own account of what it was asked; undefined where it keeps none. */
  log(): readonly Logged[] | undefined;
  stop(): Promise<void>;
}

const LIMIT_MS = 180_000;

/** Checks on a server that a client behind a proxy cannot reach what is the platform's. */
export function describeIsolation(start: () => Promise<Watched>, count: number): void {
  const inFixture = async (
    run: (fixture: Fixture, server: Watched) => Promise<void>,
    mapping?: GroupMapping,
  ): Promise<void> => {
    const server = await start();
    const fixture = await openFixture(server.connection, mapping);
    try {
      await run(fixture, server);
    } finally {
      await fixture.stop();
      await server.stop();
    }
  };

  it("no request through a proxy reaches what is the platform's", { timeout: LIMIT_MS }, () =>
    inFixture(async (fixture, server) => {
      const seed = propertySeed();
      const { findings, statuses } = await runRound(fixture, { count, random: systemRandom(seed) });
      expect(findings.slice(0, 5), `seed ${seed}`).toEqual([]);
      expect(reachedPlatform(server.log() ?? []), `seed ${seed}`).toEqual([]);
      // That much was done, and some of it refused, or nothing was tried.
      for (const status of [200, 201, 404]) expect(statuses[status], `answers ${status}`).toBeGreaterThan(count / 100);
    }),
  );

  it('detects a proxy that translates nothing', { timeout: LIMIT_MS }, () =>
    inFixture(
      async (fixture, server) => {
        const { findings } = await runRound(fixture, { count: 100, random: systemRandom(propertySeed()) });
        expect(findings.some((each) => each.startsWith("shows what is the platform's: "))).toBe(true);
        expect(findings.some((each) => each.startsWith('shows a private name: '))).toBe(true);
        expect(findings.some((each) => / was .* and is /.test(each))).toBe(true);
        const log = server.log();
        if (log !== undefined) expect(reachedPlatform(log).length).toBeGreaterThan(0);
      },
      new GroupMapping({ rules: [{ standard: 'one.example.com', private: 'other.example.com' }] }),
    ),
  );

  it.each(CONFLICTS)('%s', { timeout: LIMIT_MS }, (_, run) => inFixture(run));
}
