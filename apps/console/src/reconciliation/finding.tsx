import { Link } from '@tanstack/react-router';
import { partsOf } from '#src/reconciliation/describe-finding.ts';
import { writtenFinding } from '#src/reconciliation/write-finding.ts';
import { RecordLink } from '#src/records/record-link.tsx';
import { useLanguage } from '#src/texts/language.tsx';

interface FindingProps {
  readonly text: string;
  /** Those that the console has a page of. */
  readonly providers: readonly string[];
}

/** What a check found; the records and providers that it names lead to their pages. */
export function Finding({ text, providers }: FindingProps) {
  const { language } = useLanguage();
  return (
    <>
      {partsOf(writtenFinding(text, language), providers).map(({ text: part, leadsTo }, nth) => {
        const key = `${nth} ${part}`;
        if (leadsTo === undefined) return <span key={key}>{part}</span>;
        if (leadsTo !== 'provider')
          return (
            <RecordLink key={key} kind={leadsTo} id={part}>
              {part}
            </RecordLink>
          );
        return (
          <Link key={key} to="/providers/$environment/$id" params={{ environment: 'live', id: part }}>
            {part}
          </Link>
        );
      })}
    </>
  );
}
