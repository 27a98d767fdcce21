import type { ApiResponse } from '@capstan/meta';
import { EncodedPayload } from '../response/payload.js';
import type { ServiceAccountTokens } from '../auth/service-account-tokens.js';

const CONFIGURATION = '/.well-known/openid-configuration';
const KEYS = '/openid/v1/jwks';

/** Where others learn how to check the tokens of service accounts. */
export const ISSUER_PATHS: readonly string[] = [CONFIGURATION, KEYS];

function document(value: object, contentType: string): ApiResponse {
  const headers = { 'content-type': contentType, 'cache-control': 'public, max-age=3600' };
  const body = new EncodedPayload(
    () => new TextEncoder().encode(JSON.stringify(value)),
    () => value,
  );
  return { status: 200, headers, body };
}

/** Answers for the issuer of tokens. */
export function issuerResponse(
  path: string,
  tokens: ServiceAccountTokens,
  serverAddress = '127.0.0.1:443',
): ApiResponse | undefined {
  if (path === KEYS) return document({ keys: [tokens.key.jwk()] }, 'application/jwk-set+json');
  if (path !== CONFIGURATION) return undefined;
  const configuration = {
    issuer: tokens.issuer,
    jwks_uri: `https://${serverAddress}${KEYS}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [tokens.key.algorithm],
  };
  return document(configuration, 'application/json');
}
