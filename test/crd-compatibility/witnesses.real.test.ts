import { inject } from 'vitest';
import { realBackend } from '../src/conformance/servers.js';
import { describeWitnesses } from './witnesses.js';

const kube = inject('realKube');
const minor = Number(/^v?1\.(\d+)/.exec(kube.version)?.[1] ?? 36);

describeWitnesses(
  `kube-apiserver ${kube.version}`,
  { minor },
  async () => (await realBackend(kube).connect()).transport,
);
