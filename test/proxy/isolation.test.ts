import { loggedServer } from './isolation/servers.js';
import { describeIsolation } from './isolation/suite.js';

/** As many as take a few seconds; `npm run test:fuzz -- --proxy` sends more. */
describeIsolation(loggedServer, 800);
