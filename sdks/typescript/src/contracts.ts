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
  ? NonNullable<B>
  : never;

/** The query of an operation. Times may also be Unix seconds or a `Date`. */
export type Query<V extends Version, Id extends OperationId> = Calls[V][Id]['data'] extends { readonly query?: infer Q }
  ? WithTimes<NonNullable<Q>>
  : never;

type WithTimes<Q> = {
  [Name in keyof Q]: Name extends 'from' | 'to' | 'at' | 'due_before' ? Q[Name] | number | Date : Q[Name];
};

/** A record of a list. */
export type Item<V extends Version, Id extends OperationId> =
  Extract<Answer<V, Id>, { readonly next_cursor: unknown }> extends { readonly data: readonly (infer I)[] } ? I : never;
