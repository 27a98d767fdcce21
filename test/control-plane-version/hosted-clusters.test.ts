import { embeddedServer } from '../src/conformance/backend.js';
import { describeHostedVersions } from './hosted-clusters-suite.js';

describeHostedVersions('the embedded server', async () => embeddedServer({}));
