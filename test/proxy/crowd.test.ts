import { loadConnection } from '@capstan/kube';
import { startEmbedded } from '../kubectl/cluster.js';
import { describeCrowd } from './crowd.js';

describeCrowd('the embedded server', 1000, async () => {
  const cluster = await startEmbedded();
  return { connection: await loadConnection({ path: cluster.kubeconfig, env: {} }), stop: () => cluster.stop() };
});
