import { embeddedServer } from '../src/conformance/backend.js';
import { ownDefinitions, tellOfTwins } from './twins-suite.js';

// Of all groups there is more than a short run has time for; real servers get all.
tellOfTwins('the server in process', () => Promise.resolve(embeddedServer()), [
  ownDefinitions(['capi-provider.agent-install.openshift.io']),
]);
