const brand = Symbol.for('gateway.sdk.error');

/** Every error of this package. `name` is the literal name of the class, also in a minified bundle. */
export class GatewayError extends Error {
  static {
    this.prototype.name = 'GatewayError';
    Object.defineProperty(this.prototype, brand, { value: true });
  }
}

/** Whether an error is one of this package, also when a project has two copies of it. */
export function isGatewayError(error: unknown): error is GatewayError {
  return typeof error === 'object' && error !== null && brand in error;
}
