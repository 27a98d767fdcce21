import { embeddedServer } from '../src/conformance/backend.js';
import { tellOfWitnesses } from './witnesses.js';

// The server in process reads what is stored in a version that its definition has lost; real ones are told of that.
const otherwise = ['stored-version-dropped'];

tellOfWitnesses('the server in process', { minor: 36, otherwise }, () => Promise.resolve(embeddedServer()));
