import type { z } from 'zod';
import type { Environment, Gateway } from '@gateway/sdk';
import type { OwnWords } from '../output/result.ts';
import type { Page } from './pages.ts';

/** What tools work with. */
export interface Context {
  readonly gateway: Gateway;
  /** The gateway's public pages, read once. */
  readonly pages: () => Promise<readonly Page[]>;
}

/** What clients decide by whether they ask a person first. */
export interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly hints: Hints;
  readonly input: Input;
  /** Of `result`. */
  readonly result: z.ZodType;
  run(context: Context, input: z.infer<Input>): Promise<object | OwnWords>;
}

export const reading: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds a record or a delivery and takes none away; a second call may add a second one. */
export const adding: Hints = { ...reading, readOnlyHint: false, idempotentHint: false };

/** A tool whose input is typed by its schema, among tools of other inputs. */
export function tool<Input extends z.ZodObject>(described: Tool<Input>): Tool {
  return described;
}

/** Whether a key of the environment has the tool. */
export function isOffered({ hints }: Tool, environment: Environment): boolean {
  return environment === 'test' || hints.readOnlyHint;
}
