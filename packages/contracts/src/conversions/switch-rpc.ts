import { z } from 'zod';
import { defineRpc } from '#src/messages/define.ts';
import { requestText } from '#src/values/request-text.ts';

const positionSchema = z.enum(['on', 'off']);

/** Whether live balances are converted into USDT, as operators decided it last. Of no effect while it is not allowed. */
export const conversionSwitchSchema = z.object({
  live: positionSchema,
  /** Whether the ledger's configuration allows live conversions at all. */
  allowed: z.boolean(),
  /** How often it was set: a later decision has a higher one. */
  version: z.int(),
  /** The operator who set it; null, like `at` and `reason`, before anyone has. */
  by: z.string().nullable(),
  /** Unix seconds. */
  at: z.int().nullable(),
  reason: z.string().nullable(),
});
export type ConversionSwitch = z.infer<typeof conversionSwitchSchema>;

export const getConversionSwitch = defineRpc({
  subject: 'rpc.ledger.get-conversion-switch.v1',
  owner: 'ledger',
  request: z.object({}),
  reply: z.object({ switch: conversionSwitchSchema }),
});

/**
 * Sets it, in force with the next quote. With `ifVersion` only where no operator has set it since, else INVALID_STATE; the same
 * request again answers what it did. INVALID_STATE as well for switching on what the configuration does not allow.
 */
export const setConversionSwitch = defineRpc({
  subject: 'rpc.ledger.set-conversion-switch.v1',
  owner: 'ledger',
  request: z.object({
    live: positionSchema,
    by: requestText(1, 120),
    reason: requestText(1, 500),
    ifVersion: z.int().nullable(),
  }),
  reply: z.object({ before: conversionSwitchSchema, after: conversionSwitchSchema }),
});
