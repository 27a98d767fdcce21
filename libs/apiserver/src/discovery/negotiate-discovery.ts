import { selectAccepted, type Accepted, type AllowsConversion, type Conversion } from '../negotiation/accept.js';

/** The three shapes of `/api` and `/apis`. */
export type DiscoveryShape = 'legacy' | 'v2' | 'v2beta1';

/** How a client wants a discovery document. */
export interface NegotiatedDiscovery {
  readonly shape: DiscoveryShape;
  readonly accepted: Accepted;
}

function aggregatedShape(conversion: Conversion | undefined): 'v2' | 'v2beta1' | undefined {
  if (conversion?.group !== 'apidiscovery.k8s.io' || conversion.kind !== 'APIGroupDiscoveryList') return undefined;
  return conversion.version === 'v2' || conversion.version === 'v2beta1' ? conversion.version : undefined;
}

/** Discovery is written as text alone: protobuf clauses are passed over. */
function asText(allows: (conversion: Conversion | undefined) => boolean): AllowsConversion {
  return (conversion, mediaType) => mediaType !== 'application/vnd.kubernetes.protobuf' && allows(conversion);
}

/**
 * Reads an Accept header for a discovery document, `undefined` being not acceptable. A clause asking for aggregated
 * discovery wins over plain ones wherever it stands, as the real server looks for it in a first pass of its own.
 */
export function negotiateDiscoveryDocument(
  accept: string | undefined,
  aggregatable: boolean,
): NegotiatedDiscovery | undefined {
  const aggregated = aggregatable
    ? selectAccepted(
        accept,
        asText((conversion) => aggregatedShape(conversion) !== undefined),
      )
    : undefined;
  const shape = aggregatedShape(aggregated?.conversion);
  if (aggregated !== undefined && shape !== undefined) return { shape, accepted: aggregated };
  const plain = selectAccepted(
    accept,
    asText((conversion) => conversion === undefined),
  );
  return plain === undefined ? undefined : { shape: 'legacy', accepted: plain };
}

/** The shape of `/api` and `/apis` a client wants; `legacy` also where nothing it accepts can be given. */
export function negotiateDiscovery(accept: string | undefined): DiscoveryShape {
  return negotiateDiscoveryDocument(accept, true)?.shape ?? 'legacy';
}
