/** Why a simulation could not be run, for callers to distinguish. */
export type SimulationErrorCode =
  | 'BAD_ARGUMENT'
  | 'ENOENT'
  | 'NO_IGNITION'
  | 'NOT_CERTIFIED'
  | 'NOT_DETERMINISTIC'
  | 'PORTS_TAKEN'
  | 'THROWN'
  | 'UNKNOWN_PROCESS';

/** A failure of the simulation itself, not of what it simulates. */
export class SimulationError extends Error {
  readonly code: SimulationErrorCode;

  constructor(code: SimulationErrorCode, message: string) {
    super(message);
    this.name = 'SimulationError';
    this.code = code;
  }
}
