import { sleep } from '@capstan/kube';
import type { ApiRequest, ApiResponse, Clock, Transport } from '@capstan/meta';

const RETRY_MS = 500;
const CANNOT_STORE = 500;

export interface PatientOptions {
  readonly clock: Clock;
  /** Whether the server stores what is written. */
  readonly isStoring: () => boolean;
  /** Nothing is tried again once it aborts, or the signal of the request. */
  readonly signal: AbortSignal;
}

/**
 * Asks again as long as the server can store nothing. For what is applied, which may be done twice: a write that was
 * under way when the disk failed is answered with an error, and stored all the same once it can be.
 */
export function patientTransport(server: Transport, { clock, isStoring, signal }: PatientOptions): Transport {
  return {
    send: async (request: ApiRequest): Promise<ApiResponse> => {
      for (;;) {
        const isWell = isStoring();
        const response = await server.send(request);
        const isOver = signal.aborted || request.signal?.aborted === true;
        if (response.status !== CANNOT_STORE || (isWell && isStoring()) || isOver) return response;
        await sleep(clock, RETRY_MS, request.signal ?? signal);
      }
    },
  };
}
