import { apiErrors } from '@capstan/meta';
import type { ApiRequest, ApiResponse, PayloadBody, Status } from '@capstan/meta';
import type { Core } from '../registry/core.js';
import type { WriteScope, Written } from '../registry/create.js';
import type { ServedResource } from '../registry/served-resource.js';
import type { YamlReader } from '../request/body.js';
import type { RequestInfo } from '../request/request-info.js';
import { encodeAs, formFor, valueAs, type ObjectForm } from '../response/forms.js';
import { EncodedPayload, ValuePayload } from '../response/payload.js';
import { negotiate, type IncludeObject, type Negotiated } from '../table/index.js';

/** One resource request on its way through a verb. */
export interface Call {
  readonly core: Core;
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly served: ServedResource;
  /** Empty for cluster-scoped resources, whatever the path says. */
  readonly namespace: string;
  /** Texts for Warning headers. */
  readonly warnings: string[];
  readonly readYaml: YamlReader | undefined;
}

const INCLUDE = new Set(['', 'Metadata', 'Object', 'None']);
const ROUTE_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** How the client wants to see objects; refuses what cannot be given. */
export function formOf(call: Call, stream = false): { form: ObjectForm; accepted: Negotiated; include: IncludeObject } {
  const accepted = negotiate(call.request.headers['accept'], { stream });
  if (accepted === 'not-acceptable') throw apiErrors.notAcceptableRoute(ROUTE_TYPES);
  const wanted = call.info.query.get('includeObject') ?? '';
  if (accepted.as === 'Table' && !INCLUDE.has(wanted)) {
    const error = `includeObject: Invalid value: ${JSON.stringify(wanted)}: must be 'Metadata', 'Object', 'None', or empty`;
    throw apiErrors.badRequest(`Unable to convert to Table as requested: ${error}`);
  }
  const include = wanted === '' ? 'Metadata' : (wanted as IncludeObject);
  return { form: formFor(call.served, accepted, include, () => call.core.clock.now()), accepted, include };
}

/** The scope of a write verb. */
export function writeScope(call: Call, dryRun: boolean): WriteScope {
  const { core, served, namespace, warnings } = call;
  return { core, served, namespace, dryRun, subresource: call.info.subresource, warnings };
}

function shown(form: ObjectForm, written: Written): PayloadBody {
  if ('stored' in written) {
    const { stored } = written;
    return new EncodedPayload(
      () => encodeAs(form, stored),
      () => valueAs(form, stored),
    );
  }
  const { conversion } = form.served;
  const object = conversion === undefined ? written.object : conversion.fromStorage(written.object);
  // A dry run of a create has no version.
  if (object.metadata.resourceVersion === '') delete object.metadata.resourceVersion;
  return new ValuePayload(form.show(object, true));
}

/** An answer that is one object. */
export function objectResponse(form: ObjectForm, written: Written, status = 200): ApiResponse {
  return { status, headers: {}, body: shown(form, written) };
}

/** An answer that is a Status. */
export function statusResponse(status: Status, code = status.code ?? 200): ApiResponse {
  const retryAfter = status.details?.retryAfterSeconds;
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { status: code, headers, body: new ValuePayload(status) };
}
