import { z } from 'zod';
import { environmentSchema } from '@gateway/contracts/values';
import { objectName, recordId, text, unixSeconds } from '#src/shared/members.ts';

/** The members of a file that say what was stored. */
export const storedFile = {
  id: recordId('file', 'The id of the file.'),
  name: text('Its name, as it was sent.', 'receipt.pdf'),
  media_type: z
    .enum(['application/pdf', 'image/png', 'image/jpeg'])
    .describe('What it is by its content, whatever its name says.'),
  bytes: z.int().meta({ description: 'Its size in bytes.', examples: [48_213] }),
  sha256: text(
    'The SHA-256 of its content, in hexadecimal digits.',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  ),
};

/** A file as the call that stored it answers (api.md 8). */
export const fileResourceSchema = z
  .object({
    ...storedFile,
    object: objectName('file'),
    environment: environmentSchema.describe('The environment that it belongs to.'),
    created_at: unixSeconds('When it was stored.'),
  })
  .meta({ id: 'File', description: 'A file that evidence can name.' });
export type FileResource = z.infer<typeof fileResourceSchema>;
