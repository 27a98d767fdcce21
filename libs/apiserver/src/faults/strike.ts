import { apiErrors } from '@capstan/meta';
import type { ApiResponse } from '@capstan/meta';
import { ConnectionLost, type FaultAction } from './faults.js';

type Answer = ApiResponse | Promise<ApiResponse>;

/** Lets a fault happen to a request; `proceed` carries the request out, `sleep` waits. */
export function strikeWith(action: FaultAction, proceed: () => Answer, sleep: (ms: number) => Promise<void>): Answer {
  switch (action.type) {
    case 'status':
      throw apiErrors.genericServerResponse(action.code, {
        ...(action.message === undefined ? {} : { serverMessage: action.message }),
        ...(action.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: action.retryAfterSeconds }),
      });
    case 'delay':
      return sleep(action.ms).then(proceed);
    case 'drop-before':
      throw new ConnectionLost('before');
    case 'drop-after':
      return Promise.resolve(proceed()).then(() => {
        throw new ConnectionLost('after');
      });
  }
}
