import { embeddedServer } from '../src/conformance/backend.js';
import { describeWitnesses } from './witnesses.js';

// The server in process reads what is stored in a version that its CRD has lost; real ones are marked so.
const otherwise = ['stored-version-dropped'];

describeWitnesses('the server in process', { minor: 36, otherwise }, () => Promise.resolve(embeddedServer()));
