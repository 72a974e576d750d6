import { z } from 'zod';
import type { Report } from './report.ts';

/** What was not measured is not a number, and JSON writes that as null. */
const figure = z
  .number()
  .nullable()
  .transform((value) => value ?? Number.NaN);

const reportSchema = z.object({
  figures: z
    .array(
      z.object({ what: z.string(), ratePerSecond: figure, p50Ms: figure, p99Ms: figure, ratio: figure.optional() }),
    )
    .readonly(),
  costs: z
    .array(z.object({ what: z.string(), perAnswerUs: z.record(z.string(), figure) }))
    .readonly()
    .optional(),
  gates: z
    .array(
      z.object({
        what: z.string(),
        value: figure,
        unit: z.enum(['×', 'ms', 's', 'MB']),
        atLeast: z.number().optional(),
        atMost: z.number().optional(),
      }),
    )
    .readonly(),
  invariants: z.array(z.object({ what: z.string(), holds: z.boolean(), found: z.string() })).readonly(),
  notes: z.array(z.string()).readonly(),
});

/** Where and how a benchmark was run. */
const circumstancesSchema = z.object({
  measuredAt: z.iso.datetime(),
  machine: z.string(),
  software: z.string(),
  seconds: z.number(),
  rounds: z.number(),
  connections: z.number(),
  quick: z.boolean(),
});
export type Circumstances = z.infer<typeof circumstancesSchema>;

/** What became of one benchmark: its report, or in one line why there is none. */
export const resultSchema = z.object({
  name: z.string(),
  measures: z.string(),
  circumstances: circumstancesSchema,
  tookSeconds: z.number(),
  report: reportSchema.optional(),
  failure: z.string().optional(),
});
export type Result = z.infer<typeof resultSchema>;

/** A report as the process that made it wrote it down. */
export function readReport(json: string): Report {
  return reportSchema.parse(JSON.parse(json));
}
