import { loggedServer } from './isolation/servers.js';
import { tellIsolation } from './isolation/suite.js';

/** As many as take a few seconds; `npm run test:fuzz -- --proxy` sends more. */
tellIsolation(loggedServer, 800);
