import { embeddedServer } from '../src/conformance/backend.js';
import { describeControlPlanes } from './suite.js';

describeControlPlanes('the embedded server', () => embeddedServer({}));
