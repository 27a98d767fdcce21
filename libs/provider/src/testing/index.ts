/** For tests of core, which may name no platform, and of platforms. */
export { hostingConformance } from './conformance.js';
export { ConformanceFailure } from './conformance-subject.js';
export type { ConformanceCheck, HostingExamples } from './conformance-subject.js';
export { testPlatform } from './harbour.js';
export {
  admittingPlatform,
  HARBOUR_CLUSTERS,
  HARBOUR_MACHINES,
  HARBOUR_MACHINE_TEMPLATES,
  harbourDefinitions,
} from './harbour-kinds.js';
export type { HarbourSettings } from './harbour-kinds.js';
export { hostingScenario } from './scenario.js';
export {
  clusterInputs,
  controlPlaneInputs,
  hostedClusterOn,
  nodePoolOn,
  nodePoolInputs,
  testRelease,
} from './inputs.js';
export { checkMalformed } from './conversion-malformed.js';
export { conversionConformance, TRIAL_LIMIT_MS } from './conversion-conformance.js';
export { ConversionTrial } from './conversion-trial.js';
export type { ConversionExamples } from './conversion-trial.js';
export { from, nothing, numbered, oneOf, rarely, remembered, Single } from './conversion-makers.js';
export type { Maker, Makers } from './conversion-makers.js';
export { changed, conversionWays } from './conversion-ways.js';
export type { Changes, WayOutcome, Way } from './conversion-ways.js';
export { driftwoodConversion, harbourContext, harbourConversion } from './harbour-conversion.js';
