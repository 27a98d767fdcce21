export { conversionExamples } from './conversion-examples.js';
