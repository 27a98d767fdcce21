import { inject } from 'vitest';
import { describeInstall } from './install-suite.js';

const { ca, token, url, version } = inject('realKube');

/** `isIP` and `isCIDR` came with 1.31. */
const isOld = /^v?1\.30\./.test(version);

describeInstall(
  `kube-apiserver ${version}`,
  () => Promise.resolve({ url, ca, token, stop: () => Promise.resolve() }),
  isOld,
);
