import { z } from 'zod';

/** What was not measured is not a number, and JSON writes that as null. */
const figure = z
  .number()
  .nullable()
  .transform((value) => value ?? Number.NaN);

/** One subject's figures: medians over the rounds of this run. */
const figuresSchema = z.object({
  what: z.string(),
  /** Answers per second while the load lasted. */
  ratePerSecond: figure,
  p50Ms: figure,
  p99Ms: figure,
  /** Its rate over its baseline's, round by round, then the median; undefined for a baseline. */
  ratio: figure.optional(),
});
export type Figures = Readonly<z.infer<typeof figuresSchema>>;

/** A ratio or latency that the product promises. */
const gateSchema = z.object({
  what: z.string(),
  value: figure,
  unit: z.enum(['×', 'ms', 's', '/s', 'MB', 'KB', '%']),
  atLeast: z.number().optional(),
  atMost: z.number().optional(),
});
export type Gate = Readonly<z.infer<typeof gateSchema>>;

/** Something that must be true after the run, whatever the speed; `found` has the numbers behind it. */
const invariantSchema = z.object({ what: z.string(), holds: z.boolean(), found: z.string() });
export type Invariant = Readonly<z.infer<typeof invariantSchema>>;

/** CPU time of each process per answer, in microseconds: hardly moved by what else the machine does. */
const costSchema = z.object({ what: z.string(), perAnswerUs: z.record(z.string(), figure).readonly() });
export type CpuCost = Readonly<z.infer<typeof costSchema>>;

const reportSchema = z
  .object({
    figures: z.array(figuresSchema).readonly(),
    costs: z.array(costSchema).readonly().optional(),
    gates: z.array(gateSchema).readonly(),
    invariants: z.array(invariantSchema).readonly(),
    /** What a reader has to know of the run besides. */
    notes: z.array(z.string()).readonly(),
  })
  .readonly();
export type Report = z.infer<typeof reportSchema>;

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

/** The outcome of one benchmark: its report, or in one line why there is none. */
export const resultSchema = z.object({
  name: z.string(),
  measures: z.string(),
  circumstances: circumstancesSchema,
  tookSeconds: z.number(),
  report: reportSchema.optional(),
  failure: z.string().optional(),
});
export type Result = z.infer<typeof resultSchema>;

export function isMet({ value, atLeast, atMost }: Gate): boolean {
  return value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity);
}

/** All invariants hold, and, at full length, all gates are met. */
export function isAsPromised({ gates, invariants }: Report, quick: boolean): boolean {
  return invariants.every(({ holds }) => holds) && (quick || gates.every(isMet));
}

/** A report as the process that made it wrote it down. */
export function readReport(json: string): Report {
  return reportSchema.parse(JSON.parse(json));
}
