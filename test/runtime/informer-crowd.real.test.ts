import { startRealKube, suiteScope } from '@capstan/tools';
import { inject } from 'vitest';
import { describeCrowds } from './informer-crowd.js';

const { version } = inject('realKube');

/** A brief run crowds it less: all of them are written first. */
const size = suiteScope() === 'full' ? 10_000 : 1_000;

// A server of its own, because it is restarted.
describeCrowds(`kube-apiserver ${version}`, size, async () => {
  const kube = await startRealKube({ version });
  return { ...kube, restart: () => kube.restartApiserver() };
});
