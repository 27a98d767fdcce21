import type { ApiRequest } from '@capstan/meta';

/** Whose request the server is busy with. */
export interface Author {
  readonly process: string;
  readonly effect: number;
  readonly request: ApiRequest;
  readonly seen: string | undefined;
}
