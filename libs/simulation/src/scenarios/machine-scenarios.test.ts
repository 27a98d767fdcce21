import { expectToHold } from './testing/hold.js';
import { MACHINE_TRIALS } from './testing/machine-trials.js';

expectToHold(MACHINE_TRIALS);
