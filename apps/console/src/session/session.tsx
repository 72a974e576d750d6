import { createContext, type ReactNode, use } from 'react';
import type { Environment } from '#src/generated/types.gen.ts';

/** A merchant's account that a person belongs to. */
export interface Membership {
  readonly account_id: string;
  readonly roles: readonly string[];
  readonly environments: readonly Environment[];
  /** What the roles allow in this account, and how far; the server decides again with every request. */
  readonly permissions: Readonly<Record<string, string>>;
}

/** Who works here, as `GET /session` answers. */
export interface Session {
  readonly id: string;
  readonly person: { readonly id: string; readonly name: string; readonly roles: readonly string[] };
  /** What the roles allow, and how far; the server decides again with every request. */
  readonly permissions: Readonly<Record<string, string>>;
  /** Where the person of a merchant works; operators belong to no account. */
  readonly accounts: readonly Membership[];
  /** What they would allow once the person has another passkey. */
  readonly withheld: readonly string[];
  /** Seconds until it ends unless the person does something; what a page reads by itself counts for nothing. */
  readonly idle_left_sec: number;
  /** Where a trace is seen, `{trace_id}` in place of its id; null where that is nowhere. */
  readonly trace_url: string | null;
}

const SessionContext = createContext<Session | undefined>(undefined);

export function SessionProvider({ session, children }: { readonly session: Session; readonly children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('no SessionProvider above this component');
  return session;
}

/** Whether the roles of the person allow something; the server decides again with every request. */
export function useMay(): (permission: string) => boolean {
  const { permissions } = useSession();
  return (permission) => Object.hasOwn(permissions, permission);
}
