import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from '#src/look/dialog.tsx';
import { Failed, PageSkeleton } from '#src/records/page-states.tsx';
import { Refusal } from '#src/records/refusal.ts';
import { IdleWarning } from '#src/session/idle-warning.tsx';
import { LonePage } from '#src/session/lone-page.tsx';
import { readSession } from '#src/session/session-api.ts';
import { type Session, SessionProvider } from '#src/session/session.tsx';
import { SignIn } from '#src/session/sign-in.tsx';
import { useLanguage } from '#src/texts/language.tsx';

/** Nothing is behind the dialog that could be used without a session. */
function stay(): void {}

export const sessionKey = ['session'] as const;

/** The pages for those who have signed in, and the way in for all others. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const { texts } = useLanguage();
  const { session: words } = texts;
  const { data, error, refetch } = useQuery({ queryKey: sessionKey, queryFn: () => readSession(), retry: false });
  const isOver = error instanceof Refusal && error.status === 401;
  const signIn = (session: Session) => {
    // What another person has read and typed is not theirs.
    if (data && data.person.id !== session.person.id) return window.location.assign('/');
    queries.setQueryData(sessionKey, session);
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
  };
  if (data) {
    return (
      <SessionProvider session={data}>
        {children}
        {isOver ? null : <IdleWarning onEnded={() => void refetch()} />}
        <Dialog open={isOver} onClose={stay} title={words.ended.title} about={words.ended.about}>
          <SignIn onSignedIn={signIn} isOver />
        </Dialog>
      </SessionProvider>
    );
  }
  if (!error) {
    return (
      <main id="content" tabIndex={-1}>
        <PageSkeleton lines={4} />
      </main>
    );
  }
  return (
    <LonePage title={words.signIn.title}>
      {isOver ? <SignIn onSignedIn={signIn} /> : <Failed error={error} retry={() => void refetch()} />}
    </LonePage>
  );
}
