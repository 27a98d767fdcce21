import { loadConnection } from '@capstan/kube';
import { startEmbedded } from '../kubectl/cluster.js';
import { tellProxy } from './suite.js';

tellProxy('the embedded server', async () => {
  const cluster = await startEmbedded();
  return {
    connection: await loadConnection({ path: cluster.kubeconfig, env: {} }),
    forget: () => cluster.forget?.(),
    stop: () => cluster.stop(),
  };
});
