import { describe, expect, it } from 'vitest';
import * as admissionErrors from './admission-errors.js';
import { apiErrors } from './catalogue.js';
import * as objectErrors from './object-errors.js';
import * as requestErrors from './request-errors.js';

/** What the three parts define besides answers. */
const helpers = ['deleteSuccess', 'managerText', 'summarizeBody'];

describe('the catalogue', () => {
  it('has every answer the parts define, and no other', () => {
    const defined = [admissionErrors, objectErrors, requestErrors].flatMap((part) => Object.keys(part));
    expect(Object.keys(apiErrors).sort()).toEqual(defined.filter((name) => !helpers.includes(name)).sort());
  });
});
