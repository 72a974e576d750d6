import { GatewayError } from './gateway-error.ts';

export type SignatureFault = 'missing' | 'malformed' | 'too_old' | 'too_new' | 'mismatch';

/** A webhook that the gateway has not signed with these secrets, or not now. Answer it with 401 and do nothing. */
export class SignatureError extends GatewayError {
  static {
    this.prototype.name = 'SignatureError';
  }

  readonly reason: SignatureFault;

  constructor(reason: SignatureFault, message: string) {
    super(message);
    this.reason = reason;
  }
}
