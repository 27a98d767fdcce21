import { embeddedServer } from '../src/conformance/backend.js';
import { tellOfShim } from './suite.js';

tellOfShim('the server in process', () => Promise.resolve(embeddedServer()));
