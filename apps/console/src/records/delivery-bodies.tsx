import { Block } from '#src/records/block.tsx';
import { SectionName } from '#src/records/page-name.tsx';
import { useLanguage } from '#src/texts/language.tsx';

interface DeliveryBodiesProps {
  readonly delivery: {
    readonly request_body: string | null;
    readonly attempt_log: readonly { readonly number: number; readonly response_body: string | null }[];
  };
}

/** What was sent, byte for byte as it was signed, and what each attempt was answered with. */
export function DeliveryBodies({ delivery: { request_body: sent, attempt_log: attempts } }: DeliveryBodiesProps) {
  const { texts } = useLanguage();
  const { reveal } = texts;
  const answers = attempts.flatMap(({ number, response_body: body }) => (body ? [{ number, body }] : []));
  return (
    <>
      {sent === null ? null : <Named name={reveal.sent} text={sent} />}
      {answers.map(({ number, body }) => (
        <Named key={number} name={reveal.answered(number)} text={body} />
      ))}
    </>
  );
}

function Named({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <SectionName>{name}</SectionName>
      <Block label={name}>{text}</Block>
    </>
  );
}
