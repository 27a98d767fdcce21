import { embeddedServer } from '../src/conformance/backend.js';
import { tellOfVersions } from './suite.js';

tellOfVersions('the embedded server', () => embeddedServer({}));
