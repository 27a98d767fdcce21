import { hasOriginal } from '../../../cluster-api/original-process.js';
import { locateRealKube } from '../../../real-kube/index.js';
import type { BenchSuite, OpenSuite } from '../../model.js';
import { ManagedWorld } from './world.js';

const MACHINES = 50;

/** The original manager of Cluster API at work, through the proxy on private kinds and without it on standard ones. */
export const proxyManagerSuite: BenchSuite = {
  name: 'proxy-manager',
  onDemand: true,
  open: async ({ quick }): Promise<OpenSuite> => {
    if (quick || !hasOriginal() || locateRealKube() === undefined) {
      process.stderr.write(
        'bench: proxy-manager needs a real kube-apiserver and the original manager, and no --quick\n',
      );
      return { rows: [] };
    }
    const through = await ManagedWorld.open('private');
    const without = await ManagedWorld.open('standard');
    const scaled = async (world: ManagedWorld): Promise<number> => {
      const seconds = await world.scale(MACHINES);
      await world.scale(0);
      return seconds;
    };
    return {
      rows: [
        {
          name: `the original manager scales from 0 to ${MACHINES} machines`,
          unit: 's',
          better: 'lower',
          run: () => scaled(through),
          reference: { name: 'without us', run: () => scaled(without) },
        },
      ],
      close: async () => {
        await through.close();
        await without.close();
      },
    };
  },
};
