import { z } from 'zod';
import { requestText } from '@gateway/contracts/values';

const evidenceCharactersMax = 4_000;
const evidenceUrlsMax = 10;

/** Body of `POST /v1/disputes/{id}/evidence` (api.md 2); the documents behind `urls` are fetched by the provider. */
export const evidenceRequestSchema = z.strictObject({
  text: requestText(1, evidenceCharactersMax),
  urls: z
    .array(requestText(1, 2048).pipe(z.url({ protocol: /^https$/ })))
    .max(evidenceUrlsMax)
    .nullish(),
});

/** Body of `POST /v1/test/disputes/{id}/resolve`. */
export const resolveDisputeRequestSchema = z.strictObject({ result: z.enum(['won', 'lost']) });
