import { checkDns1035Label, forbidden, indexField, invalid, notSupported, required, pushAll } from '@capstan/meta';
import type { FieldError, JsonObject } from '@capstan/meta';
import { bundleProblem } from './ca-bundle.js';
import { plainText } from './plain-text.js';
import { fields, record, text, texts } from './read.js';
import { checkService, checkUrl } from './webhook-client.js';

const KNOWN_REVIEWS = ['v1', 'v1beta1'];

/** How strict to be with what was there before. */
export interface ConversionChecks {
  readonly requiresKnownReview: boolean;
  readonly requiresBundle: boolean;
}

/** Whether one of the versions is one the server speaks, or there are none. */
export function speaksKnownReview(versions: readonly string[]): boolean {
  return versions.length === 0 || versions.some((version) => KNOWN_REVIEWS.includes(version));
}

function checkClient(client: JsonObject | undefined, path: string, checks: ConversionChecks): FieldError[] {
  if (client === undefined) return [required(path, 'required when strategy is set to Webhook')];
  const errors: FieldError[] = [];
  const service = record(client['service']);
  const url = client['url'];
  if ((url == null) === (service === undefined))
    errors.push(required(path, 'exactly one of url or service is required'));
  else if (service) checkService(errors, `${path}.service`, service);
  else checkUrl(errors, `${path}.url`, text(url));
  const bundle = text(client['caBundle']);
  const problem = checks.requiresBundle ? bundleProblem(bundle) : undefined;
  if (problem !== undefined)
    errors.push(invalid(`${path}.caBundle`, bundle, `unable to load root certificates: ${problem}`));
  return errors;
}

function checkReviews(
  versions: readonly string[],
  path: string,
  { requiresKnownReview }: ConversionChecks,
): FieldError[] {
  if (versions.length === 0) return [required(path)];
  const errors = versions.flatMap((version, index) => {
    const at = indexField(path, index);
    if (versions.indexOf(version) !== index) return [invalid(at, version, 'duplicate version')];
    return checkDns1035Label(version).map((complaint) => invalid(at, version, complaint));
  });
  if (requiresKnownReview && !speaksKnownReview(versions))
    errors.push(invalid(path, versions, `must include at least one of ${KNOWN_REVIEWS.join(', ')}`));
  return errors;
}

const STRATEGIES = ['None', 'Webhook'];

/** Reports what is wrong with the conversion of a CRD. */
export function checkConversion(
  conversion: Readonly<JsonObject>,
  path: string,
  checks: ConversionChecks,
): FieldError[] {
  const errors: FieldError[] = [];
  const strategy = text(conversion['strategy']);
  if (strategy === '') errors.push(required(`${path}.strategy`));
  else if (!STRATEGIES.includes(strategy))
    errors.push(notSupported(`${path}.strategy`, plainText(strategy), STRATEGIES));
  const webhook = fields(conversion['webhook']);
  const client = record(webhook['clientConfig']);
  const reviews = texts(webhook['conversionReviewVersions']);
  if (conversion['strategy'] === 'Webhook') {
    pushAll(
      errors,
      checkClient(client, `${path}.webhookClientConfig`, checks),
      checkReviews(reviews, `${path}.conversionReviewVersions`, checks),
    );
    return errors;
  }
  const unwanted = 'should not be set when strategy is not set to Webhook';
  if (client !== undefined) errors.push(forbidden(`${path}.webhookClientConfig`, unwanted));
  if (reviews.length > 0) errors.push(forbidden(`${path}.conversionReviewVersions`, unwanted));
  return errors;
}
