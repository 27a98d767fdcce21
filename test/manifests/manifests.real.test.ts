import { inject } from 'vitest';
import { describeManifests } from './suite.js';

const { ca, token, url, version } = inject('realKube');

describeManifests(`kube-apiserver ${version}`, () =>
  Promise.resolve({ url, ca, token, stop: () => Promise.resolve() }),
);
