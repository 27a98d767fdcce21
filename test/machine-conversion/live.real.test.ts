import { startRealKube } from '@capstan/tools';
import { inject } from 'vitest';
import { describeConversion } from './suite.js';

const { version } = inject('realKube');

// On a server of its own: the namespaces and the Infrastructure have names that all clusters share.
describeConversion(`kube-apiserver ${version}`, async () => {
  const kube = await startRealKube({ version });
  return { url: kube.url, ca: kube.caPem, token: kube.token, stop: () => kube.stop() };
});
