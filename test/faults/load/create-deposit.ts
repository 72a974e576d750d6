import type { Book, Currency, Environment } from './book.ts';
import { expectStatus, type CarefulClient } from './careful-client.ts';

interface Depositor {
  readonly clients: Readonly<Record<Environment, CarefulClient>>;
  readonly book: Book;
}

/** Asks for a charge and writes it down. @returns its id */
export async function createDeposit(
  { clients, book }: Depositor,
  environment: Environment,
  externalId: string,
  amount: number,
  currency: Currency = 'BRL',
): Promise<string> {
  const money = currency === 'BRL' ? { amount_cents: amount } : { amount, currency };
  const wanted = { ...money, external_id: externalId };
  const { id } = expectStatus(await clients[environment].post('/v1/deposits', wanted), 200, 201).body;
  book.write(book.deposits, { id, externalId, environment, amount, currency, isPaid: false });
  return id;
}
