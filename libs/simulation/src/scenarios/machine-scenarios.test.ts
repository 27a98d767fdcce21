import { tellThatTheyHold } from './testing/hold.js';
import { MACHINE_TRIALS } from './testing/machine-trials.js';

tellThatTheyHold(MACHINE_TRIALS);
