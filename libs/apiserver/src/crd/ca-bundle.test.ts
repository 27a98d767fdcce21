import { describe, expect, it } from 'vitest';
import { testingCertificates } from '../http/testing-certificates.js';
import { isTrustworthyBundle } from './ca-bundle.js';

const encode = (text: string): string => Buffer.from(text).toString('base64');
