/** Test helpers: a clock advanced by hand, a transport with scripted responses, and waits. Nothing that ships needs it but the simulation. */
export { ManualClock, settled } from './manual-clock.js';
export {
  failed as scriptedFailure,
  json as scriptedJson,
  ScriptedTransport,
  ScriptedWatch,
} from './scripted-transport.js';
export { waitToSee, waitUntil, waitUntilSteady } from './wait.js';
export type { WaitOptions } from './wait.js';
