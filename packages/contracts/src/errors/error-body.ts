import { z } from 'zod';
import { errorDetailSchema } from '#src/errors/domain-error.ts';
import { errorTable, type ErrorCode } from '#src/errors/error-table.ts';

/** The body of every answer that is not 2xx (api.md 1). */
export const errorBodySchema = z.object({
  error: z.object({
    code: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    details: z.array(errorDetailSchema).optional(),
    request_id: z.string(),
    /** The record to query after PROVIDER_TIMEOUT. */
    payout_id: z.string().optional(),
    /** After PROVIDER_TIMEOUT of a conversion: what the same call, repeated, will bring to its end. */
    conversion_id: z.string().optional(),
    quote_id: z.string().optional(),
  }),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
