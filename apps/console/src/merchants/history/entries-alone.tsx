import { useEntriesOf } from '#src/merchants/history/entries-of.ts';
import { ledgerEvent } from '#src/merchants/history/events.ts';
import { History } from '#src/merchants/history/history.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';

/** What the balance has of a record that cannot be read itself, oldest first. */
export function EntriesAlone({ id }: { readonly id: string }) {
  const { texts } = useMerchantTexts();
  const { entries, error, retry } = useEntriesOf(id, '');
  return (
    <History events={entries.toReversed().map((entry) => ledgerEvent(entry, texts))} error={error} retry={retry} />
  );
}
