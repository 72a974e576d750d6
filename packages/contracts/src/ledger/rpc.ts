import { z } from 'zod';
import { idSchema, currencySchema, minorUnitsSchema } from '@gateway/money';
import { environmentSchema } from '#src/values/environment.ts';
import { listWindow } from '#src/values/list-window.ts';
import { ledgerEntrySchema, ledgerEntryTypeSchema } from '#src/ledger/entry.ts';
import { balanceSchema, knownBalanceSchema } from '#src/ledger/result.ts';
import { statementRecordsRequestSchema, statementRecordSchema } from '#src/ledger/statement-record.ts';
import { shownIn, shownPageSchema } from '#src/values/shown-page.ts';
import { defineRpc } from '#src/messages/define.ts';
import { requestText } from '#src/values/request-text.ts';
import { providerBalanceSchema } from '#src/providers/provider-balance.ts';

const owner = { environment: environmentSchema, accountId: idSchema('account') };

/** Balances of every currency the account has operated; with `at`, `available` as it stood then and null for the rest. */
export const getBalance = defineRpc({
  subject: 'rpc.ledger.get-balance.v1',
  owner: 'ledger',
  callers: ['api-gateway', 'compat'],
  request: z.object({ ...owner, at: z.int().nonnegative().optional() }),
  reply: z.object({ balances: z.array(knownBalanceSchema) }),
});

/** A page of entries. An unknown or foreign cursor is a VALIDATION_ERROR naming `cursor`. */
export const listEntries = defineRpc({
  subject: 'rpc.ledger.list-entries.v1',
  owner: 'ledger',
  request: z.object({
    ...owner,
    limit: z.int().min(1).max(200),
    cursor: requestText(0, 120).optional(),
    currency: currencySchema.optional(),
    type: ledgerEntryTypeSchema.optional(),
    refId: requestText(0, 64).optional(),
    ...listWindow,
  }),
  reply: z.object({ entries: z.array(ledgerEntrySchema), nextCursor: z.string().nullable() }),
});

/** The same as it is shown. */
export const showEntries = defineRpc({
  subject: 'rpc.ledger.show-entries.v1',
  owner: 'ledger',
  request: listEntries.request.extend(shownIn),
  reply: shownPageSchema,
});

/** What the ledger knows of the records behind entries: its conversions, and what was credited of deposits. */
export const getLedgerRecords = defineRpc({
  subject: 'rpc.ledger.get-statement-records.v1',
  owner: 'ledger',
  request: statementRecordsRequestSchema,
  reply: z.object({
    records: z.array(statementRecordSchema),
    /** Of the deposits among the ids: the gross amount that was credited, and the fee it was reduced by. */
    credits: z.array(z.object({ depositId: idSchema('deposit'), amount: minorUnitsSchema, fee: minorUnitsSchema })),
  }),
});

/** What is pending, by the day its retention ends in a time zone, the next day first; at most the next 400 days. */
export const getPending = defineRpc({
  subject: 'rpc.ledger.get-pending.v1',
  owner: 'ledger',
  request: z.object({ ...owner, zone: z.string().max(64), currency: currencySchema.optional() }),
  reply: z.object({
    releases: z.array(
      z.object({
        /** YYYY-MM-DD */
        releaseOn: z.string(),
        currency: currencySchema,
        amount: minorUnitsSchema,
        /** How many deposits they are of. */
        deposits: z.int(),
      }),
    ),
  }),
});

/** Test mode: releases everything pending now instead of when its retention ends. Answers the balances after it. */
export const releasePendingDeposits = defineRpc({
  subject: 'rpc.ledger.release-pending-deposits.v1',
  owner: 'ledger',
  request: z.object({ environment: z.literal('test'), accountId: idSchema('account') }),
  reply: z.object({ balances: z.array(balanceSchema) }),
});

/** What a dispute holds at this moment; it changes by itself while later credits pay into its shortfall. */
export const getDisputeHolding = defineRpc({
  subject: 'rpc.ledger.get-dispute-holding.v1',
  owner: 'ledger',
  callers: ['deposits'],
  request: z.object({ ...owner, disputeId: idSchema('dispute') }),
  reply: z.object({
    state: z.enum(['open', 'won', 'lost']),
    /** In the blocked bucket for this dispute. */
    blocked: minorUnitsSchema,
    /** Gone back to the payer. */
    returned: minorUnitsSchema,
    /** Still to be taken from later credits; 0 once it has lapsed, within an hour of `captureUntil`. */
    shortfall: minorUnitsSchema,
    /** Unix seconds. */
    captureUntil: z.int(),
  }),
});

export const reconciliationStatusSchema = z
  .enum(['OK', 'DISCREPANCY'])
  .meta({ id: 'ReconciliationStatus', description: 'Whether everything agrees.' });

export const reconciliationCheckSchema = z
  .object({
    name: z
      .enum([
        'chain_intact',
        'postings_sum_to_zero',
        'postings_equal_balances',
        'entries_equal_postings',
        'references_follow',
        'entries_equal_available',
        'entry_numbers_without_gaps',
        'provider_balances_agree',
        'treasury_agrees',
      ])
      .describe('What was checked.'),
    environment: environmentSchema.describe('The environment that was looked at.'),
    status: reconciliationStatusSchema.describe('Whether everything agrees.'),
    examined: z.int().describe('How many rows were looked at.'),
    findings: z.array(z.string()).meta({ description: 'What is wrong, in words, the first few.', examples: [[]] }),
  })
  .meta({ id: 'ReconciliationCheck', description: 'One check, and what it found.' });
export type ReconciliationCheck = z.infer<typeof reconciliationCheckSchema>;

/** One proof that the ledger agrees with itself (api.md 5). */
export const reconciliationSchema = z.object({
  id: idSchema('reconciliation'),
  status: reconciliationStatusSchema,
  checks: z.array(reconciliationCheckSchema),
  /** Unix seconds. */
  startedAt: z.int(),
  finishedAt: z.int(),
  /** By whom, and why; null until operators answer for it. */
  signedOff: z
    .object({ by: z.string(), reason: z.string(), at: z.int(), approvalId: z.string().nullable() })
    .nullable()
    .default(null),
});
export type Reconciliation = z.infer<typeof reconciliationSchema>;

/** Proves the whole ledger now. Reads every row: minutes for tens of millions, so callers wait accordingly. */
export const runReconciliation = defineRpc({
  subject: 'rpc.ledger.run-reconciliation.v1',
  owner: 'ledger',
  request: z.object({}),
  reply: reconciliationSchema,
});

/** A reconciliation by its id. @throws NOT_FOUND */
export const getReconciliation = defineRpc({
  subject: 'rpc.ledger.get-reconciliation.v1',
  owner: 'ledger',
  request: z.object({ id: z.string() }),
  reply: z.object({ reconciliation: reconciliationSchema }),
});

/** A page of reconciliations, newest first. An unknown cursor is a VALIDATION_ERROR naming `cursor`. */
export const listReconciliations = defineRpc({
  subject: 'rpc.ledger.list-reconciliations.v1',
  owner: 'ledger',
  request: z.object({
    limit: z.int().min(1).max(200),
    cursor: requestText(0, 120).optional(),
    status: reconciliationStatusSchema.optional(),
    /** When it was started. */
    from: listWindow.from,
    to: listWindow.to,
  }),
  reply: z.object({ reconciliations: z.array(reconciliationSchema), nextCursor: z.string().nullable() }),
});

/** What is booked at each live provider: what came in through it and has not left through it. */
export const getProviderAccounts = defineRpc({
  subject: 'rpc.ledger.get-provider-accounts.v1',
  owner: 'ledger',
  callers: ['deposits'],
  request: z.object({}),
  reply: z.object({
    accounts: z.array(z.object({ provider: z.string(), currency: currencySchema, booked: minorUnitsSchema })),
  }),
});

/** How the live providers' balances compare with what is booked there, for the reconciliations; all that was known is replaced. */
export const recordProviderBalances = defineRpc({
  subject: 'rpc.ledger.record-provider-balances.v1',
  owner: 'ledger',
  callers: ['deposits'],
  request: z.object({
    balances: z.array(
      providerBalanceSchema.pick({
        provider: true,
        currency: true,
        difference: true,
        differsSince: true,
        comparedAt: true,
        problem: true,
      }),
    ),
  }),
  reply: z.object({}),
});
