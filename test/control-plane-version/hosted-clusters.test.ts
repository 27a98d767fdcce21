import { embeddedServer } from '../src/conformance/backend.js';
import { tellOfHostedVersions } from './hosted-clusters-suite.js';

tellOfHostedVersions('the embedded server', async () => embeddedServer({}));
