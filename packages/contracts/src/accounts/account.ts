import { z } from 'zod';
import { amountSchema, type Currency, currencySchema, feeScheduleSchema, idSchema } from '@gateway/money';
import { freezeSchema } from '#src/accounts/freeze.ts';
import { keyScopeSchema } from '#src/accounts/key-scope.ts';
import { apiVersionSchema, environmentSchema } from '#src/values/environment.ts';
import { defineRpc } from '#src/messages/define.ts';

export const rateLimitSchema = z.object({
  perSecond: z.int().positive().max(100_000),
  burst: z.int().positive().max(1_000_000),
});
export type RateLimit = z.infer<typeof rateLimitSchema>;

const termsShape = {
  fees: z.object({ deposit: feeScheduleSchema, payout: feeScheduleSchema }),
  payoutLimits: z.object({
    /** Larger payouts wait for approval; null means no limit. */
    perPayoutCents: amountSchema.nullable(),
    /** Payouts beyond this sum within a day (UTC) wait for approval; null means no limit. */
    perDayCents: amountSchema.nullable(),
  }),
};

/** Fees and limits, in the smallest unit of the currency that they are applied to. */
export type AccountTerms = z.infer<z.ZodObject<typeof termsShape>>;

/** A merchant account as operators set it up (api.md 5). Settings apply to records created after a change. */
export const accountSchema = z.object({
  id: idSchema('account'),
  name: z.string(),
  /** CPF or CNPJ without punctuation; the only destination of settlements when set. */
  document: z.string().nullable(),
  autoApprovePayouts: z.boolean(),
  ...termsShape,
  /** Of currencies that have fees and limits of their own; the others have those of the account. */
  currencies: z.partialRecord(currencySchema, z.object(termsShape).partial()).optional(),
  /** D+n: days a deposit's net amount stays pending before it can be withdrawn. */
  retentionDays: z.int().min(0).max(365),
  rateLimit: rateLimitSchema,
});
export type Account = z.infer<typeof accountSchema>;

/** The fees and limits of an account in one currency. */
export function termsOf(account: AccountTerms & Pick<Account, 'currencies'>, currency: Currency): AccountTerms {
  const own = account.currencies?.[currency];
  return { fees: own?.fees ?? account.fees, payoutLimits: own?.payoutLimits ?? account.payoutLimits };
}

/** Who is calling: one key of one account in one environment. */
export const callerSchema = z.object({
  account: accountSchema,
  environment: environmentSchema,
  publicKey: z.string(),
  apiVersion: apiVersionSchema,
  /** That the account is frozen in this environment. */
  frozen: freezeSchema.nullable().default(null),
  /** What the key is limited to; null: to nothing. A key of the connector has no limits: SCOPE_MISSING otherwise. */
  scopes: z.array(keyScopeSchema).nullable().default(null),
});
export type Caller = z.infer<typeof callerSchema>;

/** The caller's address, as the first trusted listener saw it; without it, a key with an allowlist is refused. */
const callerAddressSchema = z.string().max(64).optional();

/**
 * `told`: a caller outside the key's allowlist is marked instead of refused; the asking service has a list of its own.
 */
const outsideAllowlistSchema = z.enum(['refused', 'told']).default('refused');

const presentedCallerSchema = callerSchema.extend({
  /** The key has an allowlist that leaves the address out; only where the request asks for `told`. */
  outsideAllowlist: z.boolean().default(false),
});
export type PresentedCaller = z.infer<typeof presentedCallerSchema>;

/**
 * Checks a key pair for another service that has callers. Refuses with AUTH_INVALID, in constant time, and with
 * AUTH_IP_BLOCKED from outside the key's allowlist.
 */
export const authenticateKey = defineRpc({
  subject: 'rpc.api-gateway.authenticate-key.v2',
  owner: 'api-gateway',
  callers: ['compat'],
  sealed: true,
  request: z.object({
    publicKey: z.string().max(200),
    /** SHA-256 of the secret key, in hex: the key itself goes no further than the service that was given it. */
    secretDigest: z.string().regex(/^[0-9a-f]{64}$/),
    address: callerAddressSchema,
    outsideAllowlist: outsideAllowlistSchema,
  }),
  reply: presentedCallerSchema,
});

/**
 * The caller behind a public key that is still in force; AUTH_INVALID once it is revoked, AUTH_IP_BLOCKED from outside
 * its allowlist. For tokens issued earlier.
 */
export const getCaller = defineRpc({
  subject: 'rpc.api-gateway.get-caller.v1',
  owner: 'api-gateway',
  callers: ['compat'],
  request: z.object({
    publicKey: z.string().max(200),
    address: callerAddressSchema,
    outsideAllowlist: outsideAllowlistSchema,
  }),
  reply: presentedCallerSchema,
});

/**
 * Whose key it is, and what the account allows: asked by the services that create money's records for the connector,
 * which names the key alone. AUTH_INVALID once it is revoked. Address and rate
 * are not checked: the connector has had them checked by `getCaller`.
 */
export const getKeyHolder = defineRpc({
  subject: 'rpc.api-gateway.get-key-holder.v1',
  owner: 'api-gateway',
  callers: ['deposits', 'payouts'],
  request: z.object({ publicKey: z.string().max(200) }),
  reply: callerSchema,
});

/**
 * What is stopped of an account in an environment at this moment, from the database: asked before money leaves that was let in
 * earlier, and has not been handed to a provider since. Null also for an account that is not known.
 */
export const getFreeze = defineRpc({
  subject: 'rpc.api-gateway.get-freeze.v1',
  owner: 'api-gateway',
  callers: ['payouts'],
  request: z.object({ environment: environmentSchema, accountId: idSchema('account') }),
  reply: z.object({ frozen: freezeSchema.nullable() }),
});
