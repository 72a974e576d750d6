import { z } from 'zod';
import { currencySchema, idSchema, minorUnitsSchema } from '@gateway/money';
import { environmentSchema } from '#src/values/environment.ts';

export const exportKindSchema = z.enum(['statement', 'settlement', 'deposits', 'payouts']).meta({
  id: 'ExportKind',
  description:
    '`statement`: the movements of the available balance. `settlement`: their sums by day and type. `deposits`, ' +
    '`payouts`: the records that were created in the period.',
});

export const exportFormatSchema = z.enum(['csv', 'ofx', 'ofx102', 'camt053', 'cnab240']).meta({
  id: 'ExportFormat',
  description:
    '`ofx` is OFX 2.2, `ofx102` OFX 1.02, `camt053` is camt.053.001 in the version of `camt_version`, `cnab240` segment ' +
    'E of CNAB 240. All but `csv` are formats of statements.',
});

export const camtVersionSchema = z.enum(['02', '08', '10', '13', '14']).meta({
  id: 'CamtVersion',
  description: 'Of the message definition: `08` is camt.053.001.08.',
});
export type CamtVersion = z.infer<typeof camtVersionSchema>;

export const exportStatusSchema = z.enum(['PROCESSING', 'COMPLETED', 'FAILED']).meta({
  id: 'ExportStatus',
  description:
    '`PROCESSING`: the file is being written. `COMPLETED`: it can be downloaded. `FAILED`: `reason` says why.',
});

export const exportFailureSchema = z.enum(['does_not_add_up', 'too_many_rows', 'internal_error']).meta({
  id: 'ExportFailure',
  description:
    '`does_not_add_up`: the movements did not lead from the opening to the closing balance, and operators are alerted. ' +
    '`too_many_rows`: the format has no room for so many; choose a shorter period. `internal_error`: create another.',
});
export type ExportFailure = z.infer<typeof exportFailureSchema>;

/** A file that a merchant asked for, as the services know it. */
export const exportSchema = z.object({
  id: idSchema('export'),
  environment: environmentSchema,
  accountId: idSchema('account'),
  externalId: z.string(),
  kind: exportKindSchema,
  format: exportFormatSchema,
  currency: currencySchema,
  /** First and last day, YYYY-MM-DD in the zone. */
  fromDate: z.string(),
  toDate: z.string(),
  zone: z.string(),
  status: exportStatusSchema,
  failure: exportFailureSchema.nullable(),
  /** Null until it is COMPLETED, as all that follow. */
  rows: z.int().nullable(),
  /** Of statements and settlements alone. */
  opening: minorUnitsSchema.nullable(),
  closing: minorUnitsSchema.nullable(),
  /** Of the file, in hex. */
  sha256: z.string().nullable(),
  /** A signed checkpoint of the ledger that has every movement of the file; null where there is none. */
  checkpoint: z.string().nullable().default(null),
  /** Unix seconds. */
  createdAt: z.int(),
  completedAt: z.int().nullable(),
  /** Until when the file is kept. */
  expiresAt: z.int().nullable(),
});
export type Export = z.infer<typeof exportSchema>;
