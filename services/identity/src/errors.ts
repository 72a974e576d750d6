import { DomainError } from '@gateway/contracts/errors';

const issuerRetrySec = 10;

/** The one answer to every sign-in that is not let in. Why it was not is in the history and in the metrics alone. */
export class SignInRefusedError extends DomainError {
  constructor() {
    super('SIGN_IN_REFUSED', 'the sign-in is not valid');
  }
}

export class SessionEndedError extends DomainError {
  constructor() {
    super('SESSION_ENDED', 'the session has ended');
  }
}

export class StepUpRequiredError extends DomainError {
  constructor(message: string) {
    super('STEP_UP_REQUIRED', message);
  }
}

export class TooManyAttemptsError extends DomainError {
  constructor(retryAfterSec: number) {
    super('RATE_LIMITED', 'too many attempts', { retryAfterSec });
  }
}

/** `detail` is for the history: what went wrong with the issuer is nothing that a browser has to know. */
export class IssuerUnavailableError extends DomainError {
  readonly detail: string;

  constructor(name: string, detail: string, cause: unknown) {
    super('SERVICE_UNAVAILABLE', `${name} does not answer, or not as an issuer does: sign in by a passkey, or later`, {
      retryAfterSec: issuerRetrySec,
      cause,
    });
    this.detail = detail;
  }
}

export class InvalidStateError extends DomainError {
  constructor(message: string) {
    super('INVALID_STATE', message);
  }
}
