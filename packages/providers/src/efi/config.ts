import { z } from 'zod';
import { bacenConfigShape, type BacenConfig } from '#src/bacen/config.ts';

export const efiConfigSchema = z
  .object({
    kind: z.literal('efi'),
    ...bacenConfigShape,
    /** The key whose account pays; Efí wants it to have a webhook. */
    payingKey: z.string().min(3).max(77),
  })
  .strict();

export type EfiConfig = BacenConfig & { readonly payingKey: string };
