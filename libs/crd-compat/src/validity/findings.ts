/** Findings about a CRD that no server takes. */
import { type FieldError, fieldErrorMessage, omitValue } from '@capstan/meta';
import { definitionFinding } from '../compare/comparison.js';
import type { Finding, Witness } from '../report.js';
import { type ValidityOptions, definitionErrors } from './invalid-definition.js';

/** Bad values longer than this are whole schemas, which hide the reason behind them. */
const MAX_TEXT = 400;

const PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const INVALID = 422;

function textOf(error: FieldError): string {
  const whole = fieldErrorMessage(error);
  return whole.length <= MAX_TEXT ? whole : fieldErrorMessage({ ...error, badValue: omitValue });
}

/** What the server has against the CRD; shown by the attempt to create it. */
export function invalidFindings(crd: object, version: string, options: ValidityOptions): readonly Finding[] {
  return definitionErrors(crd, options).map((error) => {
    const message = textOf(error);
    const witness: Witness = {
      version,
      request: { verb: 'create', path: PATH, object: crd },
      outcome: { kind: 'rejected', code: INVALID, message },
    };
    const about = { path: error.field, message: `the server refuses the CRD: ${message}` };
    return definitionFinding('invalid-definition', about, () => witness);
  });
}
