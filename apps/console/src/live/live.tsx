import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { followChanges } from '#src/live/follow-changes.ts';
import { type Hint, Hints } from '#src/live/hints.ts';
import { useLanguage } from '#src/texts/language.tsx';
import { formatClock } from '#src/texts/time.ts';
import styles from './live.module.css';

/** How often a page is read again without a stream. */
const pollMs = 15_000;

const HintsContext = createContext(new Hints());

interface LiveProps {
  readonly stream: Parameters<typeof followChanges>[0];
  readonly children: ReactNode;
}

/** Pages that follow what changes: by the stream, and without one by reading again for as long as they are visible. */
export function Live({ stream, children }: LiveProps) {
  const hints = useMemo(() => new Hints(), []);
  useEffect(() => {
    const end = followChanges(stream, hints);
    const timer = setInterval(() => {
      if (hints.state.kind !== 'live' && document.visibilityState === 'visible') hints.announce(undefined);
    }, pollMs);
    return () => {
      clearInterval(timer);
      end();
    };
  }, [stream, hints]);
  return <HintsContext value={hints}>{children}</HintsContext>;
}

/**
 * Calls back with what has happened.
 *
 * @param events which events, by what their names begin with; without any nothing is followed
 */
export function useHints(events: readonly string[], onHint: (hint: Hint) => void): void {
  const hints = use(HintsContext);
  const latest = useRef({ events, onHint });
  useEffect(() => {
    latest.current = { events, onHint };
  });
  useEffect(
    () =>
      hints.listen((hint) => {
        const { events: wanted, onHint: call } = latest.current;
        if (hint === undefined ? wanted.length > 0 : wanted.some((prefix) => hint.event.startsWith(prefix))) call(hint);
      }),
    [hints],
  );
}

/** As `useHints`, of what is read again in place: at once, and then not before so many milliseconds have passed. */
export function useRefresh(events: readonly string[], refresh: () => void, everyMs = 2_000): void {
  const pace = useRef<{ timer?: ReturnType<typeof setTimeout>; refreshedAt: number }>({ refreshedAt: 0 });
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  useEffect(() => {
    const { current } = pace;
    return () => clearTimeout(current.timer);
  }, []);
  useHints(events, () => {
    const { current } = pace;
    if (current.timer !== undefined) return;
    const waitMs = Math.max(0, current.refreshedAt + everyMs - Date.now());
    current.timer = setTimeout(() => {
      delete current.timer;
      current.refreshedAt = Date.now();
      latest.current();
    }, waitMs);
  });
}

/** Whether the page follows what changes, as shape and word. */
export function LiveState() {
  const hints = use(HintsContext);
  const state = useSyncExternalStore(hints.watch, () => hints.state);
  const { texts, language } = useLanguage();
  const { live } = texts;
  const word =
    state.kind === 'offline' ? live.state.offline(formatClock(state.since, language)) : live.state[state.kind];
  return (
    <p className={styles['state']} data-kind={state.kind} aria-live="polite" title={live.about}>
      <span>{word}</span>
    </p>
  );
}
