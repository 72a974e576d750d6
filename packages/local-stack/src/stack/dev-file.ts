import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { writePrivate } from '#src/stack/state-directory.ts';

const keyPairSchema = z.object({ public_key: z.string(), secret_key: z.string() });

const merchantSchema = z.object({
  account_id: z.string(),
  name: z.string(),
  test: keyPairSchema,
  live: keyPairSchema,
});

const devFileSchema = z.object({
  base_url: z.string(),
  ops_url: z.string(),
  ops_tokens: z.array(z.string()),
  simulator_url: z.string(),
  merchants: z.array(merchantSchema),
});

export type KeyPair = z.infer<typeof keyPairSchema>;
export type DemoMerchant = z.infer<typeof merchantSchema>;
/** `dev.json`: where the stack is, and who may use it. */
export type DevFile = z.infer<typeof devFileSchema>;

/** The merchants of the last run; none when the file is missing or is not ours. */
export function knownMerchants(file: string): DemoMerchant[] {
  try {
    return devFileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).merchants;
  } catch {
    return [];
  }
}

export function writeDevFile(file: string, content: DevFile): void {
  writePrivate(file, content);
}
