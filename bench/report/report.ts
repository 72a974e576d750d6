import { z } from 'zod';

/** One subject's figures: medians over the rounds of this run. */
export interface Figures {
  readonly what: string;
  /** Answers per second while the load lasted. */
  readonly ratePerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Its rate over its baseline's, round by round, then the median; undefined for a baseline. */
  readonly ratio?: number;
}

/** A ratio or latency that the product promises. */
export interface Gate {
  readonly what: string;
  readonly value: number;
  readonly unit: '×' | 'ms' | 's' | 'MB';
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Something that must be true after the run, whatever the speed. */
export interface Invariant {
  readonly what: string;
  readonly holds: boolean;
  /** The numbers behind it. */
  readonly found: string;
}

/** CPU time of each process per answer, in microseconds: hardly moved by what else the machine does. */
export interface CpuCost {
  readonly what: string;
  readonly perAnswerUs: Readonly<Record<string, number>>;
}

export interface Report {
  readonly figures: readonly Figures[];
  readonly costs?: readonly CpuCost[];
  readonly gates: readonly Gate[];
  readonly invariants: readonly Invariant[];
  /** What a reader has to know to judge the figures. */
  readonly notes: readonly string[];
}

export function isMet({ value, atLeast, atMost }: Gate): boolean {
  return value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity);
}

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
