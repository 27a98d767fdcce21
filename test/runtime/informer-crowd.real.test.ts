import { startRealKube } from '@capstan/tools';
import { inject } from 'vitest';
import { tellOfCrowds } from './informer-crowd.js';

const { version } = inject('realKube');

// One of its own: nobody else's may be restarted.
tellOfCrowds(`kube-apiserver ${version}`, 10_000, async () => {
  const kube = await startRealKube({ version });
  return { ...kube, restart: () => kube.restartApiserver() };
});
