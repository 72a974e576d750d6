import type { Calls, Records } from './generated/calls.ts';
import type { OperationId } from './generated/operations.ts';

/** The contracts of the gateway: 0.1 in reais, and 1.0, a beta, in several currencies. */
export type Version = keyof Calls & keyof Records;

/** A record by its name in the description of a contract: `Resource<'1.0', 'Deposit'>`. */
export type Resource<V extends Version, Name extends keyof Records['0.1'] & keyof Records['1.0']> = Records[V][Name];

/** What an operation answers with. */
export type Answer<V extends Version, Id extends OperationId> = Calls[V][Id]['answer'];

/** The body of an operation. */
export type Body<V extends Version, Id extends OperationId> = Calls[V][Id]['data'] extends { readonly body?: infer B }
  ? Given<NonNullable<B>>
  : never;

/** The query of an operation. Times may also be Unix seconds or a `Date`. */
export type Query<V extends Version, Id extends OperationId> = Calls[V][Id]['data'] extends { readonly query?: infer Q }
  ? Given<WithTimes<NonNullable<Q>>>
  : never;

/** A member that may be left out may be undefined too, also for a compiler with `exactOptionalPropertyTypes`. */
type Given<T> = T extends readonly (infer Each)[]
  ? Given<Each>[]
  : T extends object
    ? { [Name in keyof T]: IsOptional<T, Name> extends true ? Given<T[Name]> | undefined : Given<T[Name]> }
    : T;

/** Not so are the members of a map, each of which is there. */
type IsOptional<T, Name extends keyof T> = string extends Name ? false : object extends Pick<T, Name> ? true : false;

type WithTimes<Q> = {
  [Name in keyof Q]: Name extends 'from' | 'to' | 'at' | 'due_before' ? Q[Name] | number | Date : Q[Name];
};

/** A record of a list. */
export type Item<V extends Version, Id extends OperationId> =
  Extract<Answer<V, Id>, { readonly next_cursor: unknown }> extends { readonly data: readonly (infer I)[] } ? I : never;
