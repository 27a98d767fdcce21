import { embeddedServer } from '../src/conformance/backend.js';
import { describeVersions } from './suite.js';

describeVersions('the embedded server', () => embeddedServer({}));
