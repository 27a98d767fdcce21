import type { BenchRow, BenchSuite, OpenSuite } from '../../model.js';
import { costRows, warmUp } from './cost.js';
import { nginxPath, nginxRows, startNginx } from './nginx.js';
import { kubectlPath, startKubectl, startOurs, startServer, startUpstream } from './programs.js';
import { wayRows } from './way.js';

/** What stands between a program and its server: ours, and `kubectl proxy` where there is one. */
export const proxySuite: BenchSuite = {
  name: 'proxy',
  counts: 'median',
  open: async ({ quick }): Promise<OpenSuite> => {
    const server = await startServer(quick);
    const upstream = await startUpstream();
    const kubectl = kubectlPath();
    const ways = {
      ours: await startOurs(server),
      // A short run leaves out what others add.
      kubectl: kubectl === undefined || quick ? undefined : await startKubectl(kubectl, server),
    };
    const costs = {
      ours: await startOurs(upstream),
      kubectl: kubectl === undefined ? undefined : await startKubectl(kubectl, upstream),
    };
    const program = nginxPath();
    const nginx = program === undefined ? undefined : await startNginx(program, upstream);
    for (const proxy of [costs.ours, costs.kubectl, nginx]) if (proxy !== undefined) await warmUp(proxy, quick);
    const rows: readonly BenchRow[] = [
      ...(await wayRows(server, ways, quick)),
      ...costRows(upstream, costs, quick),
      ...nginxRows(costs.ours, nginx, quick),
    ];
    const all = [nginx, ways.ours, ways.kubectl, costs.ours, costs.kubectl, upstream, server];
    return {
      rows,
      close: async () => {
        for (const each of all) await each?.stop();
      },
    };
  },
};
