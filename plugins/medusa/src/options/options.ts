import { Gateway } from '@gateway/sdk';
import { MedusaError } from '@medusajs/framework/utils';

/** What a shop says of the gateway in `medusa-config`. */
export interface GatewayOptions {
  /** `pk_test_…` or `pk_live_…`. */
  readonly publicKey: string;
  /** `sk_test_…` or `sk_live_…`. */
  readonly secretKey: string;
  readonly baseUrl: string;
  /** The `whsec_…` of the webhook that is registered for the shop; both of them while a rotation lasts. */
  readonly webhookSecret: string | readonly string[];
  /** How long a charge can be paid, in seconds; an hour unless it is said. */
  readonly expiresInSec?: number;
  /**
   * Kept in each charge, so that a webhook of another shop with the same account is not taken for one of this shop.
   * `medusa` unless it is said.
   */
  readonly shop?: string;
}

const required = ['publicKey', 'secretKey', 'baseUrl', 'webhookSecret'] as const;

/** @throws MedusaError INVALID_DATA naming what is missing or wrong */
export function checkOptions(options: Partial<GatewayOptions>): asserts options is GatewayOptions {
  const missing = required.filter((name) => options[name] === undefined || options[name].length === 0);
  if (missing.length > 0) throw invalid(`the gateway's options lack ${missing.join(', ')}`);
  const { expiresInSec } = options;
  if (expiresInSec !== undefined && !(Number.isSafeInteger(expiresInSec) && expiresInSec > 0))
    throw invalid('expiresInSec has to be a whole number of seconds above zero');
}

/** By contract 0.1, which is PIX in BRL. */
export function clientOf({ publicKey, secretKey, baseUrl }: GatewayOptions): Gateway {
  return new Gateway({ publicKey, secretKey, baseUrl, appInfo: 'gateway-medusa/0.1.0' });
}

export function shopOf({ shop = 'medusa' }: GatewayOptions): string {
  return shop;
}

function invalid(message: string): MedusaError {
  return new MedusaError(MedusaError.Types.INVALID_DATA, message);
}
