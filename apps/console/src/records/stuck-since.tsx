import { Status } from '#src/look/status.tsx';
import { useLanguage } from '#src/texts/language.tsx';
import { formatAge } from '#src/texts/time.ts';

interface StuckSinceProps {
  /** Since when it takes an operator; null while it goes on by itself. */
  readonly at: string | null;
  readonly now: Date;
}

/** For how long a record of a list has been waiting for an operator. */
export function StuckSince({ at, now }: StuckSinceProps) {
  const { texts, language } = useLanguage();
  if (at === null) return '–';
  return <Status tone="bad" word={texts.records.age(formatAge(new Date(at), now, language))} />;
}
