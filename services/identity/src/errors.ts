import { DomainError } from '@gateway/contracts/errors';

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

export class InvalidStateError extends DomainError {
  constructor(message: string) {
    super('INVALID_STATE', message);
  }
}
