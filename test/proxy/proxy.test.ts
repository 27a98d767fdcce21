import { loadConnection } from '@capstan/kube';
import { startEmbedded } from '../kubectl/cluster.js';
import { describeProxy } from './suite.js';

describeProxy('the embedded server', async () => {
  const cluster = await startEmbedded();
  return {
    connection: await loadConnection({ path: cluster.kubeconfig, env: {} }),
    forget: () => cluster.forget?.(),
    stop: () => cluster.stop(),
  };
});
