/** What the conversion of this platform is tried with. */
export { conversionExamples } from './conversion-examples.js';
export { conversionMachines } from './conversion-machines.js';
