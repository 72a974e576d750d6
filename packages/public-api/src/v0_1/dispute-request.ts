import { z } from 'zod';
import { requestText } from '@gateway/contracts/values';

const evidenceCharactersMax = 4_000;
const evidenceUrlsMax = 10;

/** Body of `POST /v1/disputes/{id}/evidence` (api.md 2); the documents behind `urls` are fetched by the provider. */
export const evidenceRequestSchema = z
  .strictObject({
    text: requestText(1, evidenceCharactersMax).describe('What speaks for the merchant.'),
    urls: z
      .array(
        requestText(1, 2_048)
          .meta({ format: 'uri', pattern: '^https://', examples: ['https://shop.example/receipts/1001.pdf'] })
          .pipe(z.url({ protocol: /^https$/ })),
      )
      .max(evidenceUrlsMax)
      .nullish()
      .describe('Public https addresses of files, which the provider fetches.'),
  })
  .meta({ id: 'EvidenceCreate', description: 'Evidence against a dispute.' });

/** Body of `POST /v1/test/disputes/{id}/resolve`. */
export const resolveDisputeRequestSchema = z
  .strictObject({ result: z.enum(['won', 'lost']).describe('Who is right: `won` is the merchant, `lost` the payer.') })
  .meta({ id: 'DisputeDecision', description: 'How a test dispute ends.' });
