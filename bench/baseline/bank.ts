import { Pool } from 'undici';
import { z } from 'zod';

const accountSchema = z.object({
  kind: z.literal('efi'),
  baseUrl: z.string(),
  tokenUrl: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  receivingKey: z.string(),
  payingKey: z.string(),
});
const tokenSchema = z.object({ access_token: z.string() });
const chargeSchema = z.object({ pixCopiaECola: z.string() });
const sentSchema = z.object({ e2eId: z.string() });

const connections = 64;

/** The account at the provider that the product has too, with the calls that its adapter makes. */
export interface Bank {
  /** @returns the text of the QR code */
  charge(reference: string, cents: number): Promise<string>;
  /** @returns the end-to-end id */
  send(reference: string, cents: number, key: string): Promise<string>;
}

/** One token, which outlives every run, and connections that are kept. */
export async function connectBank(simulatorUrl: string): Promise<Bank> {
  const offered = z.array(z.unknown()).parse(await (await fetch(`${simulatorUrl}/control/providers`)).json());
  const account = offered.map((each) => accountSchema.safeParse(each)).find(({ success }) => success)?.data;
  if (!account) throw new Error('the simulator offers no account at Efí');
  const { clientId, clientSecret, receivingKey, payingKey } = account;
  const granted = await fetch(account.tokenUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    },
    body: JSON.stringify({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = tokenSchema.parse(await granted.json());
  const pool = new Pool(account.baseUrl, { connections });
  const put = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await pool.request({ method: 'PUT', path, headers, body: JSON.stringify(body) });
    if (answer.statusCode !== 201)
      throw new Error(`the bank answered ${answer.statusCode}: ${await answer.body.text()}`);
    return await answer.body.json();
  };
  return {
    charge: async (reference, cents) => {
      const body = { calendario: { expiracao: 86_400 }, valor: { original: reais(cents) }, chave: receivingKey };
      return chargeSchema.parse(await put(`/v2/cob/${reference}`, body)).pixCopiaECola;
    },
    send: async (reference, cents, key) => {
      const body = { valor: reais(cents), pagador: { chave: payingKey }, favorecido: { chave: key } };
      return sentSchema.parse(await put(`/v3/gn/pix/${reference}`, body)).e2eId;
    },
  };
}

function reais(cents: number): string {
  return (cents / 100).toFixed(2);
}
