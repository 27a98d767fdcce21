import { ApiError, apiErrors } from '@capstan/meta';

/** An object could not be had in another version; the message is the server's, and so is what it answers with. */
export class ConversionFailed extends ApiError {
  constructor(message: string) {
    super(apiErrors.unclassified(message).status);
  }

  /** The same with what was being done before it. */
  during(what: string): ConversionFailed {
    return new ConversionFailed(`${what}: ${this.message}`);
  }
}
