import { embeddedServer } from '../src/conformance/backend.js';
import { ownDefinitions, describePrivateCrds } from './private-crds-suite.js';

// Of all groups there is more than a short run has time for; real servers get all.
describePrivateCrds('the server in process', () => Promise.resolve(embeddedServer()), [
  ownDefinitions(['capi-provider.agent-install.openshift.io']),
]);
