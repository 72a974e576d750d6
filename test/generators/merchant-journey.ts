/** Where the gateway is, and the key pair of a test account. */
export interface Connection {
  readonly baseUrl: string;
  readonly publicKey: string;
  readonly secretKey: string;
}

/** What a merchant does first, by a client that was generated: `clients` has a file for each generator and contract. */
export interface MerchantClient {
  /** Of 15.00 reais. */
  readonly createDeposit: (externalId: string) => Promise<{ readonly id: string; readonly status: string }>;
  /** Without a body, as the guide does it. @returns the status of the deposit */
  readonly payDeposit: (id: string) => Promise<string>;
  /** @returns the status of the deposit */
  readonly readDeposit: (id: string) => Promise<string>;
  /** @returns the ids of the newest deposits */
  readonly listDeposits: () => Promise<string[]>;
  /** @returns the status of the refund of 1.00 */
  readonly refundDeposit: (id: string, externalId: string) => Promise<string>;
  /** @returns the status of the payout, or the code of its refusal */
  readonly sendPayout: (externalId: string, amount: number) => Promise<string>;
  /** @returns the secret of the webhook */
  readonly registerWebhook: (url: string) => Promise<string>;
}

export type Connect = (connection: Connection) => MerchantClient;

/** What a merchant does first, in this order. @returns what came of each step */
export async function journeyOf(client: MerchantClient): Promise<object> {
  const { id, status: created } = await client.createDeposit('deposit-1');
  const paid = await client.payDeposit(id);
  const read = await client.readDeposit(id);
  const listed = (await client.listDeposits()).includes(id);
  const refunded = await client.refundDeposit(id, 'refund-1');
  const sent = await client.sendPayout('payout-1', 100);
  const tooMuch = await client.sendPayout('payout-2', 100_000_000);
  const secret = (await client.registerWebhook('https://127.0.0.1:8443/hooks')).slice(0, 6);
  return { created, paid, read, listed, refunded, sent, tooMuch, secret };
}
