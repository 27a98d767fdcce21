import type { BenchSuite } from './model.js';
import { apiserverSuite } from './suites/apiserver/index.js';
import { controlPlaneVersionSuite } from './suites/control-plane-version.js';
import { convertSuite } from './suites/convert.js';
import { crdCompatSuite } from './suites/crd-compat.js';
import { crdCompatCheckerSuite } from './suites/crd-compat-checker.js';
import { durableSuite } from './suites/durable.js';
import { fleetSuite } from './suites/fleet/index.js';
import { machineSyncSuite } from './suites/machine-sync/index.js';
import { metaSuite } from './suites/meta.js';
import { migrationSuite } from './suites/migration/index.js';
import { migrationCapacitySuite } from './suites/migration/capacity.js';
import { migrationFleetSuite } from './suites/migration/fleet.js';
import { migrationServersSuite } from './suites/migration/servers.js';
import { proxySuite } from './suites/proxy/index.js';
import { proxyManagerSuite } from './suites/proxy-manager/index.js';
import { runtimeSuite } from './suites/runtime.js';
import { shimSuite } from './suites/shim.js';
import { startUpSuite } from './suites/start-up.js';
import { translateSuite } from './suites/translate.js';
import { translateEncodingsSuite } from './suites/translate-encodings.js';
import { upSuite } from './suites/up.js';

/** Every suite, in the order of the table. A new one is a file in `suites/` and a line here. */
export const suites: readonly BenchSuite[] = [
  metaSuite,
  convertSuite,
  crdCompatSuite,
  crdCompatCheckerSuite,
  startUpSuite,
  translateSuite,
  translateEncodingsSuite,
  shimSuite,
  controlPlaneVersionSuite,
  apiserverSuite,
  proxySuite,
  proxyManagerSuite,
  runtimeSuite,
  migrationSuite,
  migrationCapacitySuite,
  migrationFleetSuite,
  migrationServersSuite,
  upSuite,
  durableSuite,
  fleetSuite,
  machineSyncSuite,
];
