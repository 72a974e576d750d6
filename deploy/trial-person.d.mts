/** A person of the trial who has signed in with a passkey. */
export interface TrialPerson {
  /** Of the session, `name=value`. */
  readonly cookie: string;
  /** Begins another session. */
  signIn(): Promise<void>;
  /** The body of the answer, which confirms first what is to be confirmed; an error where it is a refusal. */
  call(method: string, path: string, body?: object): Promise<any>;
}

export function enrolledPerson(link: string, confirm?: () => Promise<unknown>): Promise<TrialPerson>;

export function firstOwner(accountId: string, operators: readonly [TrialPerson, TrialPerson]): Promise<TrialPerson>;
