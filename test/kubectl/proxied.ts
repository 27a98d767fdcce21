import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixedCredentials, loadConnection, silentLogger, writeKubeconfig } from '@capstan/kube';
import { mappingFrom, startProxy } from '@capstan/proxy';
import type { RunningProxy } from '@capstan/proxy';
import { installBoth, removeBoth } from '../proxy/both-groups.js';
import type { Cluster } from './cluster.js';

const LISTEN = { host: '127.0.0.1', port: 0 };

/** A proxy to a cluster with permissions of its own: those of the cluster's kubeconfig, or of a token. */
export async function proxyTo({ kubeconfig }: Pick<Cluster, 'kubeconfig'>, token?: string): Promise<RunningProxy> {
  const admin = await loadConnection({ path: kubeconfig, env: {} });
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  const connection = token === undefined ? admin : { ...admin, credentials };
  return startProxy({ listen: LISTEN, connection, mapping: mappingFrom(), logger: silentLogger(), drainMs: 0 });
}

/**
 * A cluster that has the platform's kinds of Cluster API and their private CRDs, of which kubectl sees what a proxy
 * shows it. The client of the cluster goes past the proxy.
 */
export async function behindProxy(start: () => Promise<Cluster>): Promise<Cluster> {
  const cluster = await start();
  await installBoth(cluster.client);
  const proxy = await proxyTo(cluster);
  const dir = mkdtempSync(join(tmpdir(), 'capstan-proxied-'));
  const kubeconfig = join(dir, 'kubeconfig');
  await writeKubeconfig({ path: kubeconfig, server: proxy.url });
  return {
    ...cluster,
    url: proxy.url,
    kubeconfig,
    direct: { kubeconfig: cluster.kubeconfig },
    stop: async () => {
      await proxy.close();
      // Others come after us where the server stays.
      if (cluster.backend === 'real') await removeBoth(cluster.client);
      await cluster.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
