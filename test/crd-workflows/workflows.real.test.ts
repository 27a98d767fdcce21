import { startRealKube } from '@capstan/tools';
import { inject } from 'vitest';
import { describeWorkflows } from './suite.js';

const { version } = inject('realKube');

// On a server of its own: what is checked there is checked for everybody.
describeWorkflows(`kube-apiserver ${version}`, async () => {
  const kube = await startRealKube({ version });
  return { url: kube.url, ca: kube.caPem, token: kube.token, stop: () => kube.stop() };
});
