import { Facts } from '#src/records/facts.tsx';
import { useLanguage } from '#src/texts/language.tsx';

interface PersonFactsProps {
  /** What the person is to the record: its payer. */
  readonly who: string;
  readonly person: {
    readonly name: string | null;
    readonly document: string | null;
    readonly email?: string | null;
    readonly phone?: string | null;
    readonly bank?: string | null;
  };
  /** What the record says of the person besides. */
  readonly more?: Parameters<typeof Facts>[0]['facts'];
}

/** Who a person is. */
export function PersonFacts({ who, person, more = [] }: PersonFactsProps) {
  const { texts } = useLanguage();
  const { person: words } = texts.reveal;
  return (
    <Facts
      facts={[
        [who, person.name],
        [words.document, person.document],
        [words.email, person.email],
        [words.phone, person.phone],
        [words.bank, person.bank],
        ...more,
      ]}
    />
  );
}
