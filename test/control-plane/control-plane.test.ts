import { embeddedServer } from '../src/conformance/backend.js';
import { tellOfControlPlanes } from './suite.js';

tellOfControlPlanes('the embedded server', () => embeddedServer({}));
