import { inject } from 'vitest';
import { tellOfCapiOperator } from './suite.js';

const { ca, token, url, version } = inject('realKube');

tellOfCapiOperator(`kube-apiserver ${version}`, () =>
  Promise.resolve({ url, ca, token, stop: () => Promise.resolve() }),
);
