import { z } from 'zod';
import { errorDetailSchema } from '#src/errors/domain-error.ts';
import { errorTable, type ErrorCode } from '#src/errors/error-table.ts';

/** The body of every answer that is not 2xx (api.md 1). */
export const errorBodySchema = z
  .object({
    error: z
      .object({
        code: z
          .enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]])
          .meta({ id: 'ErrorCode', description: 'What is wrong, as a word to act upon.' }),
        message: z.string().describe('What is wrong, as a sentence to read; its words may change.'),
        details: z.array(errorDetailSchema).optional().describe('Of `VALIDATION_ERROR`: every fault by its field.'),
        request_id: z.string().describe('The id of the request in our logs, as in `X-Request-Id`.'),
        payout_id: z.string().optional().describe('Of `PROVIDER_TIMEOUT`: the payout to read.'),
        conversion_id: z
          .string()
          .optional()
          .describe('Of `PROVIDER_TIMEOUT`: the conversion that the same call, repeated, brings to its end.'),
        quote_id: z.string().optional().describe('Of `PROVIDER_TIMEOUT`: the quote that was to be used.'),
      })
      .meta({ id: 'ErrorBody', description: 'What is wrong.' }),
  })
  .meta({ id: 'Error', description: 'The body of every answer that is not 2xx.' });
export type ErrorBody = z.infer<typeof errorBodySchema>;
