import type { Grant, OperatorPermission } from '@gateway/contracts/identity';

/** A person who calls by a session. */
export interface Person {
  readonly id: string;
  readonly sessionId: string;
  /** Puts another token into the cookie of the answer. */
  readonly keepToken: (token: string) => void;
}

/** Who calls the operator API. */
export interface Principal {
  /** As the audit trail and proposals have it. */
  readonly name: string;
  /** How far they may go with a permission; null when they have nothing of it. */
  readonly grantOf: (permission: OperatorPermission) => Grant | null;
  /** Whether it is a token of a developer's machine, which is shown everything; what others are shown is masked. */
  readonly isShownAll: boolean;
  /** Null of a token. */
  readonly person: Person | null;
  /** Who answers for what is proposed: the person, or who proposed the token; null of a token that is configured. */
  readonly responsible: string | null;
  /** Who approved the token, was shown it, and answers for what it proposes as well; null of a person. */
  readonly tokenApprovedBy: string | null;
  /** Whether the session or the token still is one; what cannot be asked is an error. */
  readonly isInForce: () => Promise<boolean>;
}
