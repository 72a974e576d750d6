import { Change } from '#src/changes/change.tsx';
import { textIn } from '#src/changes/typed.ts';
import { skipFeed } from '#src/generated/sdk.gen.ts';
import type { Feed } from '#src/generated/types.gen.ts';
import { TextField } from '#src/look/field.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, toLocalMinute } from '#src/texts/time.ts';

const hourMs = 3_600_000;

interface SkipFeedProps {
  readonly feed: Feed;
  readonly now: Date;
}

/** Proposes that a list which fails is read on behind the part that its provider does not answer. */
export function SkipFeed({ feed: { id, fails_from: from }, now }: SkipFeedProps) {
  const { texts, language } = useOperatorTexts();
  const { skip } = texts.feeds;
  const may = useMay();
  if (from === null || !may('money:propose')) return '–';
  const begin = new Date(from);
  const anHourOn = new Date(Math.min(begin.getTime() + hourMs, now.getTime()));
  const send = (typed: FormData) => {
    const until = new Date(textIn(typed, 'until')).toISOString();
    return bodyOf(skipFeed({ path: { id }, body: { until, reason: textIn(typed, 'reason') } }));
  };
  return (
    <Change
      open={skip.open}
      title={skip.title}
      about={skip.about(formatTime(begin, language))}
      confirm={skip.confirm}
      hasReason
      send={send}
    >
      <TextField
        name="until"
        type="datetime-local"
        label={skip.until}
        hint={skip.untilHint(Intl.DateTimeFormat().resolvedOptions().timeZone)}
        defaultValue={toLocalMinute(anHourOn)}
        required
      />
    </Change>
  );
}
