import type { AlertCase } from '../alert-case.js';
import { capiOperatorCases } from './capi-operator.js';
import { controlPlaneVersionCases } from './control-plane-versions.js';
import { shimCases } from './conversion-shim.js';
import { checkerCases } from './crd-compatibility.js';
import { hostedClusterCases } from './hosted-clusters.js';
import { machineApiCases } from './machine-api.js';
import { migrationCases } from './migration.js';
import { proxyCases } from './proxy.js';

/** One table for every alert there is. */
export const ALERT_CASES: readonly AlertCase[] = [
  ...proxyCases,
  ...shimCases,
  ...hostedClusterCases,
  ...migrationCases,
  ...controlPlaneVersionCases,
  ...checkerCases,
  ...capiOperatorCases,
  ...machineApiCases,
];
