import { setTimeout as delay } from 'node:timers/promises';
import { hasOriginal } from '../../../cluster-api/original-process.js';
import { locateRealKube } from '../../../real-kube/index.js';
import type { BenchSuite, OpenSuite } from '../../model.js';
import { ManagedFixture, startServers } from './fixture.js';
import type { Scaled } from './fixture.js';

const MACHINES = 50;
const ROUNDS = 11;
/** Code is compiled, caches are filled and the server makes room for as many changes as there will be. */
const WARM_UP_ROUNDS = 3;
/** The manager asks 100 times a second and may save up 200: all rounds begin with as many. */
const REST_MS = 3_000;

/** The original manager of Cluster API at work, through the proxy on private kinds and without it on standard ones. */
export const proxyManagerSuite: BenchSuite = {
  name: 'proxy-manager',
  onDemand: true,
  // Objects are reconciled once a second at most, so a round is as long as its seconds happened to begin.
  counts: 'median',
  rounds: ROUNDS,
  open: async ({ quick }): Promise<OpenSuite> => {
    if (quick || !hasOriginal() || locateRealKube() === undefined) {
      process.stderr.write(
        'bench: proxy-manager needs a real kube-apiserver and the original manager, and no --quick\n',
      );
      return { rows: [] };
    }
    const { servers, done } = await startServers(['private', 'standard']);
    const fixtures = { through: await ManagedFixture.open(servers[0]), without: await ManagedFixture.open(servers[1]) };
    const worked: number[] = [];
    const counted = { through: [] as number[], without: [] as number[] };
    const scaled = async (way: keyof typeof fixtures): Promise<Scaled> => {
      const fixture = fixtures[way];
      const took = await fixture.scale(MACHINES);
      await fixture.scale(0);
      await delay(REST_MS);
      process.stderr.write(`bench: ${way} the proxy: ${summaryOf(took)}\n`);
      return took;
    };
    const measured = async (way: keyof typeof fixtures): Promise<number> => {
      const { countedSeconds, seconds, workedSeconds } = await scaled(way);
      counted[way].push(countedSeconds);
      if (way === 'through') worked.push(workedSeconds);
      return seconds;
    };
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1)
      for (const way of ['through', 'without'] as const) await scaled(way);
    return {
      rows: [
        {
          name: `the original manager scales from 0 to ${MACHINES} machines`,
          unit: 's',
          better: 'lower',
          run: () => measured('through'),
          reference: { name: 'without us', run: () => measured('without') },
        },
        // In the rounds of the row before, as the next one.
        {
          name: 'and its MachineDeployment counts them',
          unit: 's',
          better: 'lower',
          run: () => counted.through.shift() ?? Number.NaN,
          reference: { name: 'without us', run: () => counted.without.shift() ?? Number.NaN },
        },
        { name: 'the proxy works for that', unit: 's', better: 'lower', run: () => worked.shift() ?? Number.NaN },
      ],
      close: async () => {
        await fixtures.through.close();
        await fixtures.without.close();
        done();
      },
    };
  },
};

function summaryOf({ seconds, countedSeconds, requests, conflicts, workedSeconds }: Scaled): string {
  const worked = workedSeconds === 0 ? '' : `, the proxy worked ${workedSeconds.toFixed(2)} s`;
  return `${seconds.toFixed(2)} s, counted ${countedSeconds.toFixed(2)} s, ${requests} requests, ${conflicts} of them conflicts${worked}`;
}
