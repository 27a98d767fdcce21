/** Something a user must change, and where. */
export interface Problem {
  /** `spec.platform.…` */
  readonly path: string;
  /** What is wrong and what to do, in one sentence. */
  readonly message: string;
}
