export { roundTrip } from './round-trips.js';
export type { Failure } from './round-trips.js';
