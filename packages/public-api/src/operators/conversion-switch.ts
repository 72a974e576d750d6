import { z } from 'zod';
import type { ConversionSwitch } from '@gateway/contracts/conversions';
import { operatorReasonSchema } from '#src/operators/approval.ts';
import { flag, objectName, text, unixSeconds } from '#src/shared/members.ts';

/** Body of `POST /ops/conversions/switch/on` and of `/off`. */
export const switchRequestSchema = z
  .strictObject({ reason: operatorReasonSchema.describe('Why, for the other operators.') })
  .meta({ id: 'ConversionSwitchRequest', description: 'Why live conversions are switched on or off.' });

/** Whether live keys convert. */
export const conversionSwitchResourceSchema = z
  .object({
    object: objectName('conversion_switch'),
    live: z.enum(['on', 'off']).describe('Whether operators have switched live conversions on.'),
    allowed: flag('Whether the deployment allows them (`LIVE_CONVERSIONS=on`): live keys convert when both hold.'),
    by: text('The operator who set it last, the second one where two did; null before anyone has.', 'bruno').nullable(),
    at: unixSeconds('When it was set last.').nullable(),
    reason: text('Why it was set so.', 'counsel has confirmed the authorisation').nullable(),
  })
  .meta({ id: 'ConversionSwitch', description: 'Whether live keys convert into USDT.' });

export function presentConversionSwitch({
  version: _version,
  ...shown
}: ConversionSwitch): z.infer<typeof conversionSwitchResourceSchema> {
  return { object: 'conversion_switch', ...shown };
}
