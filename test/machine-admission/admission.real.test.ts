import { startRealKube } from '@capstan/tools';
import { inject } from 'vitest';
import { describeAdmission } from './suite.js';

const { version } = inject('realKube');

// On a server of its own: its policies have the names and namespaces that they have in clusters.
describeAdmission(`kube-apiserver ${version}`, async () => {
  const kube = await startRealKube({ version });
  return { url: kube.url, ca: kube.caPem, token: kube.token, stop: () => kube.stop() };
});
