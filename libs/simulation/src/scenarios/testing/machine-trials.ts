import type { Trial } from './hold.js';

/** Scenarios of machines, which take longer than others. */
export const MACHINE_TRIALS: readonly Trial[] = [
  // 7: time stood still for who waited for the rest of a period: a millionth of a nanosecond.
  // 30: an approver took a conflict for another client's approval, and did not look again.
  // 202, 453: conflicts while a watch was late made a provider wait for a quarter of an hour.
  { scenario: 'machines', seeds: 10, remembered: [7, 30, 202, 453] },
  // 113: a restarted controller counted the nodes of a cluster before it was connected, and then again.
  { scenario: 'cluster-api', seeds: 2, remembered: [113] },
  // 5: an instance was terminated that its machine had never recorded, and its node stayed.
  // 62: every machine asked by itself, as fast as it could, whether its kind knows who acts.
  { scenario: 'machine-api', seeds: 5, remembered: [5, 62] },
  { scenario: 'autoscaler', seeds: 3 },
];
