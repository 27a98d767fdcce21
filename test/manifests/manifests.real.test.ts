import { inject } from 'vitest';
import { tellOfManifests } from './suite.js';

const { ca, token, url, version } = inject('realKube');

tellOfManifests(`kube-apiserver ${version}`, () => Promise.resolve({ url, ca, token, stop: () => Promise.resolve() }));
