import { embeddedServer } from '../../src/conformance/backend.js';
import { storedVersions } from './suite.js';

for (const storage of ['v1beta1', 'v1beta2'] as const)
  storedVersions(() => Promise.resolve(embeddedServer({})), storage);
