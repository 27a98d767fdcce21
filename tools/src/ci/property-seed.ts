import fc from 'fast-check';

import { propertySeed } from './seed.js';

const seed = propertySeed();
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
if (process.env['CAPSTAN_SEED'] !== undefined) process.stderr.write(`property tests: seed ${seed}\n`);
