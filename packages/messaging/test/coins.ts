import { z } from 'zod';
import { streams, type StreamContract } from '@gateway/contracts/broker';
import { defineEvent } from '@gateway/contracts/messages';
import { kitMigrations } from '@gateway/persistence';
import type { Message } from '#src/consumer/arrival.ts';

export const stream: StreamContract = {
  ...streams.depositsEvents,
  maxAgeMs: 60_000,
  duplicateWindowMs: 60_000,
};
export const CoinMinted = defineEvent({
  subject: 'event.deposits.coin.minted.v1',
  owner: 'deposits',
  payload: z.object({ id: z.string(), worth: z.int() }),
});

/** The messages of a service, and a table for what its handlers do. */
export const coinMigrations = [
  ...kitMigrations,
  { name: '0001-effect', sql: 'create table effect (id text primary key, worth bigint)' },
];

export const worths = (messages: readonly Message[]) =>
  messages.map((message) => CoinMinted.payload.parse(message.data).worth);
