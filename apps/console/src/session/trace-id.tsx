import { RecordId } from '#src/records/record-id.tsx';
import { useSession } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';

/** The trace of a record: a link to where traces are seen, if the installation names that, and the id to copy. */
export function TraceId({ id }: { readonly id: string }) {
  const { texts } = useOperatorTexts();
  const { trace_url: template } = useSession();
  if (!template) return <RecordId id={id} />;
  return (
    <>
      <a href={template.replace('{trace_id}', id)} target="_blank" rel="noopener noreferrer">
        {texts.facts.seeTrace}
      </a>{' '}
      <RecordId id={id} />
    </>
  );
}
