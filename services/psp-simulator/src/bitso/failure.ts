/** A refusal in the exchange's form: a code of four digits, whose first two are its kind. */
export class BitsoError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}
