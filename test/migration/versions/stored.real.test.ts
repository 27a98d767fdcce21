import { startRealKube } from '@capstan/tools';
import type { RealKube } from '@capstan/tools';
import { afterAll, inject } from 'vitest';
import { transportTo } from '../../src/transport.js';
import { storedVersions } from './suite.js';

const { version } = inject('realKube');
let kube: RealKube | undefined;
afterAll(() => kube?.stop());

// Its CRDs are those of other suites with another conversion.
storedVersions(async () => {
  kube = await startRealKube({ version });
  return transportTo(kube);
}, 'v1beta1');
