import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '#src/look/button.tsx';
import { Dialog, DialogButtons } from '#src/look/dialog.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { Refusal } from '#src/records/refusal.ts';
import { readSession } from '#src/session/session-api.ts';
import { useSession } from '#src/session/session.tsx';
import { useLanguage } from '#src/texts/language.tsx';

const idleKey = ['idle-session'] as const;
const warnedSec = 120;
/** While the warning is shown: another tab may have gone on with the session, or its time may be over. */
const warnedRefetchMs = 10_000;

interface IdleWarningProps {
  /** Called once the session is no longer in force. */
  readonly onEnded: () => void;
}

/**
 * Two minutes before a session ends for which nothing was done: one click goes on with it. What is left is asked of the server,
 * since what is done in another tab counts too.
 */
export function IdleWarning({ onEnded }: IdleWarningProps) {
  const { texts } = useLanguage();
  const { idle: words } = texts.session;
  const queries = useQueryClient();
  const leftIn = async (isBackground: boolean): Promise<number> => {
    try {
      return (await readSession(isBackground)).idle_left_sec;
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) onEnded();
      throw error;
    }
  };
  const { data: leftSec } = useQuery({
    queryKey: idleKey,
    queryFn: () => leftIn(true),
    initialData: useSession().idle_left_sec,
    staleTime: Infinity,
    gcTime: 0,
    refetchInterval: ({ state: { data = 0 } }) => (data <= warnedSec ? warnedRefetchMs : (data - warnedSec) * 1_000),
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: false,
  });
  const stay = useMutation({
    mutationFn: () => leftIn(false),
    onSuccess: (left) => queries.setQueryData(idleKey, left),
  });
  const goOn = () => (stay.isPending ? undefined : stay.mutate());
  return (
    <Dialog open={leftSec <= warnedSec} onClose={goOn} title={words.title} about={words.about}>
      {stay.error ? <Failed error={stay.error} /> : null}
      <DialogButtons>
        <Button look="primary" busy={stay.isPending} onClick={goOn}>
          {words.stay}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
