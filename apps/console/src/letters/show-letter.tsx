import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Act } from '#src/changes/act.tsx';
import { Change } from '#src/changes/change.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { textIn } from '#src/changes/typed.ts';
import { discardDeadLetter, getDeadLetter, listDeadLetters, retryDeadLetter } from '#src/generated/sdk.gen.ts';
import type { OpenedDeadLetter } from '#src/generated/types.gen.ts';
import { letterToneOf, readable, reasonLines } from '#src/letters/describe-letter.ts';
import { Status } from '#src/look/status.tsx';
import { Block } from '#src/records/block.tsx';
import { Facts } from '#src/records/facts.tsx';
import { PageName, SectionName } from '#src/records/page-name.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import styles from '#src/records/record-page.module.css';
import { bodyOf } from '#src/records/refusal.ts';
import { Reveal, revealHeaders, useReveal } from '#src/records/reveal.tsx';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const twinsMax = 100;

/** One message that no service could handle: why, what it says, and what can be done with it. */
export function ShowLetter({ id }: { readonly id: string }) {
  const reveal = useReveal();
  const may = useMay();
  return (
    <ShowRecord
      queryKey={['dead-letter', id, reveal.reason ?? '']}
      read={(signal, headers) => {
        const asked = { ...headers, ...revealHeaders(reveal) };
        return bodyOf(getDeadLetter({ path: { id }, signal, headers: asked }));
      }}
      heading={(letter) => <Heading letter={letter} />}
    >
      {(letter) => (
        <>
          <Actions letter={letter} />
          <LetterFacts letter={letter} />
          <Content letter={letter}>{may('pii:reveal') ? <Reveal reveal={reveal} /> : null}</Content>
        </>
      )}
    </ShowRecord>
  );
}

function Heading({ letter: { id, subject, status } }: { readonly letter: OpenedDeadLetter }) {
  const { texts } = useOperatorTexts();
  const { letters } = texts;
  return (
    <header className={styles['heading']}>
      <p className={styles['kind']}>{letters.one}</p>
      <PageName tab={`${letters.one} ${subject} · ${texts.product}`}>
        <code>{subject}</code>
      </PageName>
      <Status tone={letterToneOf[status]} word={letters.status[status]} />
      <RecordId id={id} />
    </header>
  );
}

function Actions({ letter: { id, status } }: { readonly letter: OpenedDeadLetter }) {
  const { texts } = useOperatorTexts();
  const { letters } = texts;
  const { discard } = letters;
  const may = useMay();
  if (status !== 'WAITING') return null;
  return (
    <Changes>
      {may('operations:write') ? (
        <Act
          label={letters.retry}
          look="primary"
          send={() => bodyOf(retryDeadLetter({ path: { id } }))}
          done={(after) => (after.status === 'RETRIED' ? letters.retried : letters.stillWaits)}
        />
      ) : null}
      {may('money:propose') ? (
        <Change
          open={discard.open}
          look="danger"
          title={discard.title}
          about={discard.about}
          confirm={discard.confirm}
          hasReason
          send={(typed) => bodyOf(discardDeadLetter({ path: { id }, body: { reason: textIn(typed, 'reason') } }))}
        />
      ) : null}
    </Changes>
  );
}

function LetterFacts({ letter }: { readonly letter: OpenedDeadLetter }) {
  const { texts, language } = useOperatorTexts();
  const { letters, facts } = texts;
  const { decided_at: decidedAt, decided_by: decidedBy } = letter;
  return (
    <Facts
      facts={[
        [letters.service, letter.service],
        [letters.consumer, letter.consumer],
        [letters.deliveries, letter.deliveries],
        [facts.created, formatTime(fromUnix(letter.created_at), language)],
        [
          letters.decided,
          decidedAt === null ? null : `${formatTime(fromUnix(decidedAt), language)} · ${decidedBy ?? '–'}`,
        ],
        [letters.twins, <Twins key="twins" letter={letter} />],
      ]}
    />
  );
}

/** Others of the same consumer that wait for the same reason: what mends one mends them. */
function Twins({ letter: { id, service, consumer, reason } }: { readonly letter: OpenedDeadLetter }) {
  const { data } = useQuery({
    queryKey: ['dead-letters', 'twins', service, consumer],
    queryFn: ({ signal }) => {
      const query = { service, consumer, status: 'WAITING', limit: twinsMax } as const;
      return bodyOf(listDeadLetters({ query, signal }));
    },
  });
  const count = (data?.data ?? []).filter((other) => other.id !== id && other.reason === reason).length;
  if (count === 0) return '0';
  return (
    <Link to="/dead-letters" search={{ status: 'WAITING', service, consumer }}>
      {count}
    </Link>
  );
}

function Content({ letter, children }: { readonly letter: OpenedDeadLetter; readonly children: React.ReactNode }) {
  const { texts } = useOperatorTexts();
  const { letters } = texts;
  const headers = Object.entries(letter.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <section className={styles['section']}>
      <SectionName>{letters.reason}</SectionName>
      <Block label={letters.reason}>{reasonLines(letter.reason).join('\n')}</Block>
      <SectionName>{letters.content}</SectionName>
      {children}
      <Block label={letters.content}>{readable(letter.payload)}</Block>
      {headers.length === 0 ? null : (
        <>
          <SectionName>{letters.headers}</SectionName>
          <Block label={letters.headers}>{headers.join('\n')}</Block>
        </>
      )}
    </section>
  );
}
