/** A member of a query or a body, as a flag asks for it. */
export interface DescribedMember {
  /** As the API has it: `external_id`, `payer.name`. */
  readonly name: string;
  readonly type: 'text' | 'number' | 'boolean' | 'list' | 'object';
  readonly values?: readonly string[];
  readonly about: string;
}

/** An operation of the API, as far as the command line has to know it. */
export interface DescribedOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  readonly summary: string;
  readonly answer: 'record' | 'list' | 'text' | 'nothing';
  readonly query: readonly DescribedMember[];
  /** Of either contract; the gateway refuses what belongs to the other. */
  readonly body?: readonly DescribedMember[];
}
