import { z } from 'zod';
import { defineRpc } from '#src/messages/define.ts';
import { environmentSchema } from '#src/values/environment.ts';

/** The one process that writes a shard of the ledger, and what waits for it. */
export const ledgerWriterSchema = z.object({
  environment: environmentSchema,
  shard: z.int().nonnegative(),
  /** Host and process of the one that holds the shard, or what an earlier version calls its session; null while none does. */
  writer: z.string().nullable(),
  /** Unix seconds, since when it decides; null while it has not begun. */
  since: z.int().nullable(),
  /** How many processes would take over. */
  standbys: z.int().nonnegative(),
  /** Commands that are stored and not decided; null while the broker does not say. */
  waiting: z.int().nonnegative().nullable(),
});
export type LedgerWriter = z.infer<typeof ledgerWriterSchema>;

/** Who writes each shard, as PostgreSQL knows it: whichever replica answers, it is true of all of them. */
export const listLedgerWriters = defineRpc({
  subject: 'rpc.ledger.list-writers.v1',
  owner: 'ledger',
  request: z.object({}),
  reply: z.object({ writers: z.array(ledgerWriterSchema) }),
});
