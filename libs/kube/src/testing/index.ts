/** For the tests of packages that take a clock. Nothing that runs imports it. */
export { ManualClock } from './manual-clock.js';
