export { conversionExamples } from './conversion-examples.js';
export { machines as conversionMachines } from './machines.js';
