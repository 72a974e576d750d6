import { useMutation } from '@tanstack/react-query';
import { Button } from '#src/look/button.tsx';
import { saveFile } from '#src/look/save-file.ts';
import { Failed } from '#src/records/page-states.tsx';
import { useLanguage } from '#src/texts/language.tsx';

/** How the whole of a list is read as a file: all pages, from the first on, by the filters of its address. */
export function wholeList<Query extends { readonly cursor?: string | undefined }>({
  cursor: _page,
  ...filters
}: Query) {
  return { query: { ...filters, format: 'csv' as const }, parseAs: 'text' as const };
}

interface SaveCsvProps {
  /** Of the file, without its ending. */
  readonly name: string;
  /** Answers with the text of the file. */
  readonly read: () => Promise<unknown>;
}

/** Saves what a list has, all of it and with personal data, as a file for spreadsheets and programs. */
export function SaveCsv({ name, read }: SaveCsvProps) {
  const { texts } = useLanguage();
  const save = useMutation({
    mutationFn: async () => saveFile(new Blob([(await read()) as string], { type: 'text/csv' }), `${name}.csv`),
  });
  return (
    <>
      <Button busy={save.isPending} onClick={() => save.mutate()}>
        {texts.list.csv}
      </Button>
      {save.error ? <Failed error={save.error} /> : null}
    </>
  );
}
