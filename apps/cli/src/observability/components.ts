import { capiObservability } from '@capstan/capi-operator/observability';
import { controlPlaneObservability } from '@capstan/control-plane/observability';
import { shimObservability } from '@capstan/conversion-shim/observability';
import { checkerObservability } from '@capstan/crd-compatibility/observability';
import { hypershiftObservability } from '@capstan/hypershift/observability';
import { machineApiObservability } from '@capstan/machine-api/observability';
import type { Observability } from '@capstan/observability';
import { proxyObservability } from '@capstan/proxy/observability';

/** Everything there is to watch over; a test sees to it that no operator is forgotten. */
export const OBSERVED: readonly Observability[] = [
  proxyObservability,
  shimObservability,
  hypershiftObservability,
  controlPlaneObservability,
  checkerObservability,
  capiObservability,
  machineApiObservability,
];
