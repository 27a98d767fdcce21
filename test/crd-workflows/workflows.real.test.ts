import { inject } from 'vitest';
import { tellOfWorkflows } from './suite.js';

const { ca, token, url, version } = inject('realKube');

tellOfWorkflows(`kube-apiserver ${version}`, () => Promise.resolve({ url, ca, token, stop: () => Promise.resolve() }));
