import { z } from 'zod';
import { ledgerProviderSchema, ledgerWitnesses } from '@gateway/contracts/ledger';
import { venuesVariableSchema } from '@gateway/providers/venues';
import { baseConfigShape, listOf, loadConfig, secretsConfigShape } from '@gateway/runtime';

/** Where the ledger runs without the other services. */
const noWitnesses = 'none';
const urlSchema = z.url({ protocol: /^https?$/ });
const uncompared = '=uncompared';
const providerSettingSchema = z.object({ id: ledgerProviderSchema, isCompared: z.boolean() });

function parseProviderSetting(text: string) {
  const isCompared = !text.endsWith(uncompared);
  return { id: isCompared ? text : text.slice(0, -uncompared.length), isCompared };
}

/** What the ledger reads from its environment. */
export const configSchema = z.object({
  ...baseConfigShape,
  ...secretsConfigShape,
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .describe('The gateway as merchants reach it: its host names the logs of checkpoints, from the first start on.'),
  CHECKPOINT_INTERVAL_SEC: z.coerce.number().int().min(1).max(3_600).default(60).meta({
    description: 'How long decisions are gathered before their tree is signed; until then they have no receipt.',
    unit: 'seconds',
  }),
  RECONCILIATION_HOUR_UTC: z.coerce
    .number()
    .int()
    .min(0)
    .max(23)
    .default(3)
    .meta({ description: 'When the daily reconciliation runs.', unit: 'hour of the day, UTC' }),
  LEDGER_PROVIDERS: z
    .string()
    .default('')
    .transform(listOf)
    .pipe(z.array(z.string().transform(parseProviderSetting).pipe(providerSettingSchema)))
    .describe(
      'Ids of the live providers that hold money, those of PROVIDERS in the other services, separated by commas; `=uncompared` behind the id of one whose balance cannot be read.',
    ),
  LEDGER_WITNESSES: z
    .string()
    .default(ledgerWitnesses.join(','))
    .transform((text) => (text === noWitnesses ? [] : listOf(text)))
    .pipe(z.array(z.enum(ledgerWitnesses)))
    .describe(
      'Services that keep how far they have seen the ledger, separated by commas. Nothing is decided while one of them has seen more than the database has. `none`: the database is believed as it is.',
    ),
  LEDGER_WITNESS_WAIT_SEC: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600)
    .default(30)
    .meta({ description: 'How long the ledger waits for the first answer of a witness.', unit: 'seconds' }),
  LIVE_CONVERSIONS: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      'Whether two operators may switch on that live balances are converted into USDT. The books then owe USDT that the operator has to buy and hold: read docs/operations/conversions.md first.',
    ),
  TREASURY_VENUES: venuesVariableSchema,
  TREASURY_GATHER_SEC: z.coerce.number().int().min(0).max(3_600).default(30).meta({
    description: 'How long live conversions are gathered before USDT is ordered for them.',
    unit: 'seconds',
  }),
  TREASURY_SLIPPAGE_BPS: z.coerce.number().int().min(0).max(2_000).default(100).meta({
    description: 'How much more than the market asks an order for USDT may pay.',
    unit: 'basis points',
  }),
  TREASURY_SURPLUS_MAX: z.coerce.number().int().min(0).max(100_000_000_000).default(5_000).meta({
    description:
      'How much more than is owed an order for USDT may buy because the market takes no less, in the smallest unit; where the market asks for more, nothing is ordered and operators are alerted.',
    unit: 'USDT cents',
  }),
  TREASURY_LOSS_MAX_BPS: z.coerce.number().int().min(0).max(10_000).default(500).meta({
    description:
      'How much more than merchants gave for it USDT may cost, the fee included; where the market asks for more, nothing is ordered and operators are alerted.',
    unit: 'basis points',
  }),
  TREASURY_UNCOVERED_MAX: z.coerce.number().int().min(0).max(100_000_000_000).default(1_000_000).meta({
    description:
      'USDT that may be owed for live conversions and not bought yet, in the smallest unit; beyond it, live conversions are refused until some has been bought.',
    unit: 'USDT cents',
  }),
  ANCHOR_INTERVAL_SEC: z.coerce.number().int().min(60).max(86_400).default(3_600).meta({
    description: 'How often a signed live checkpoint is kept outside, where a target is configured.',
    unit: 'seconds',
  }),
  ANCHOR_TSA_URL: urlSchema
    .optional()
    .describe('A time stamping authority (RFC 3161), whose tokens over live checkpoints are stored.'),
  ANCHOR_TSA_CA: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Certificates that the tokens of this authority have to lead to, in PEM, with `\\n` for the ends of lines where it has to be one line. Required with ANCHOR_TSA_URL.',
    ),
  ANCHOR_AUDITOR_URL: urlSchema
    .optional()
    .describe("An address outside of the operator's reach to which live checkpoints are sent (POST, text/plain)."),
  ANCHOR_WITNESS_URL: urlSchema
    .optional()
    .describe(
      'A witness (C2SP tlog-witness) that signs live checkpoints; below it is `add-checkpoint`. It learns how many decisions the ledger has.',
    ),
  ANCHOR_WITNESS_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('The public key of this witness: name, id and key (C2SP vkey). Required with ANCHOR_WITNESS_URL.'),
  ANCHOR_BUCKET_URL: urlSchema
    .optional()
    .describe(
      'An S3-compatible bucket with object lock, `https://host/bucket`, into which live checkpoints are written.',
    ),
  ANCHOR_BUCKET_REGION: z.string().min(1).default('us-east-1').describe('The region of the bucket.'),
  ANCHOR_BUCKET_ACCESS_KEY_ID: z.string().min(1).optional().describe('Of credentials that may write into the bucket.'),
  ANCHOR_BUCKET_SECRET_ACCESS_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('The secret of these credentials.')
    .meta({ secret: true }),
  ANCHOR_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(3_653).meta({
    description: 'For how long the bucket lets nobody remove a checkpoint.',
    unit: 'days',
  }),
  RATE_SOURCE: z
    .union([z.literal('fixed'), z.url({ protocol: /^https?$/ })])
    .optional()
    .describe(
      "Source of live rates: a ticker's URL, or `fixed` on a developer's machine. Without it live has no conversions.",
    ),
  RATE_MAX_AGE_SEC: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_600)
    .default(60)
    .meta({ description: 'A live rate that is older is not used.', unit: 'seconds' }),
  RATE_SPREAD_BPS: z.coerce
    .number()
    .int()
    .min(0)
    .max(5_000)
    .default(50)
    .meta({ description: "The gateway's share of a live conversion, of the market's rate.", unit: 'basis points' }),
  RATE_STEP_MAX_BPS: z.coerce.number().int().min(1).max(10_000).default(1_000).meta({
    description: 'A live rate that differs by more from the last one is not accepted at first.',
    unit: 'basis points',
  }),
});

export type Config = z.infer<typeof configSchema>;

/** The only reader of this service's environment. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(env, configSchema);
}

const verifyConfigSchema = z.object({
  DATABASE_URL: baseConfigShape.DATABASE_URL,
  INTERNAL_TLS_DIR: baseConfigShape.INTERNAL_TLS_DIR,
});

/** What `npm run ledger:verify` needs: it runs beside the service, against the database alone. */
export function readVerifyConfig(env: NodeJS.ProcessEnv): z.infer<typeof verifyConfigSchema> {
  return loadConfig(env, verifyConfigSchema);
}
