import { z } from 'zod';
import { evidenceFilesMax } from '@gateway/contracts/deposits';
import { requestText } from '@gateway/contracts/values';
import { idSchema } from '@gateway/money';

const evidenceCharactersMax = 4_000;
const evidenceUrlsMax = 10;

/** A stored file, by its content too: who confirms the call has confirmed what the file contains. */
const namedFileSchema = z
  .strictObject({
    id: idSchema('file').describe('The id of the file.'),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case')
      .describe('The SHA-256 of its content, as the call that stored it answered.'),
  })
  .meta({ id: 'EvidenceFile', description: 'A stored file.' });

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
    files: z
      .array(namedFileSchema)
      .max(evidenceFilesMax)
      .refine((files) => new Set(files.map(({ id }) => id)).size === files.length, 'must not name a file twice')
      .nullish()
      .describe('Files that were stored by `POST /v1/files`, of the same account and environment.'),
  })
  .meta({ id: 'EvidenceCreate', description: 'Evidence against a dispute.' });

/** Body of `POST /v1/test/disputes/{id}/resolve`. */
export const resolveDisputeRequestSchema = z
  .strictObject({ result: z.enum(['won', 'lost']).describe('Who is right: `won` is the merchant, `lost` the payer.') })
  .meta({ id: 'DisputeDecision', description: 'How a test dispute ends.' });
