import { startRealKube } from '@capstan/tools';
import { inject } from 'vitest';
import { describeWorkflows } from './suite.js';

const { version } = inject('realKube');

// On a server of its own: its webhooks check the requests of all clients.
describeWorkflows(`kube-apiserver ${version}`, async () => {
  const kube = await startRealKube({ version });
  return { url: kube.url, ca: kube.caPem, token: kube.token, stop: () => kube.stop() };
});
