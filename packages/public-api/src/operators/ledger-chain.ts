import { z } from 'zod';
import type { LostRange } from '@gateway/contracts/ledger';
import { environmentSchema } from '@gateway/contracts/values';
import { operatorReasonSchema } from '#src/operators/approval.ts';
import { count, isoTime, objectName, text } from '#src/shared/members.ts';

const exampleHash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** The end of a shard's hash chain beside what other services have seen of it. */
export const ledgerChainResourceSchema = z
  .object({
    object: objectName('ledger_chain'),
    environment: environmentSchema.describe('The environment whose balances it decides.'),
    shard: count('The number of the shard.', 0),
    incarnation: count('How often operators have let the chain go on after it had lost its end.', 0),
    head_sequence: count('The number of its last link.', 120_400),
    head_hash: text('The hash of its last link.', exampleHash),
    decided_at: isoTime('When its last link was decided; null of an empty chain.').nullable(),
    ahead_ms: count('By how many milliseconds that lies in the future. Beyond 10,000 nothing is decided.', 0),
    lost_from: count('The first link that is lost; null where nothing is.', 120_401).nullable(),
    lost_through: count('The last link that a witness has seen; null where nothing is lost.', 120_441).nullable(),
    contradictions: z
      .array(
        z
          .object({
            witness: text('The service that has seen the link.', 'deposits'),
            disagreement: z
              .enum(['ahead', 'differs'])
              .describe('`ahead`: the chain does not reach the link. `differs`: it has another one in its place.'),
            incarnation: count('The incarnation of the link.', 0),
            sequence: count('The number of the link.', 120_441),
            hash: text('The hash of the link.', exampleHash),
          })
          .meta({
            id: 'ChainContradiction',
            description: 'A link that a service has seen and the chain does not have.',
          }),
      )
      .describe('What witnesses have seen and the chain does not have. While there is any, nothing is decided.'),
    silent: z.array(text('A witness.', 'payouts')).describe('Witnesses that did not answer.'),
  })
  .meta({
    id: 'LedgerChain',
    description: "The end of a shard's hash chain, and what other services have seen of it.",
  });
export type LedgerChainResource = z.infer<typeof ledgerChainResourceSchema>;

/** Body of `POST /ops/ledger/{environment}/{shard}/incarnations`. */
export const incarnationRequestSchema = z
  .strictObject({
    reason: operatorReasonSchema.describe('How the end of the chain was lost, for the other operators.'),
  })
  .meta({ id: 'IncarnationRequest', description: 'That a chain which has lost its end goes on.' });

export function presentLedgerChain(range: LostRange): LedgerChainResource {
  const isLost = range.contradictions.length > 0;
  // Where another link stands in the place of one that was seen, it is not known from where on the chains differ.
  const firstSeen = Math.min(range.headSequence + 1, ...range.contradictions.map(({ seen }) => seen.sequence));
  return {
    object: 'ledger_chain',
    environment: range.environment,
    shard: range.shard,
    incarnation: range.incarnation,
    head_sequence: range.headSequence,
    head_hash: range.headHash,
    decided_at: range.decidedAtMs === 0 ? null : new Date(range.decidedAtMs).toISOString(),
    ahead_ms: range.aheadMs,
    lost_from: isLost ? firstSeen : null,
    lost_through: isLost ? range.lostThrough : null,
    contradictions: range.contradictions.map(({ witness, disagreement, seen: { incarnation, sequence, hash } }) => ({
      ...{ witness, disagreement, incarnation, sequence, hash },
    })),
    silent: range.silent,
  };
}
