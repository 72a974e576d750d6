import { useMutation } from '@tanstack/react-query';
import { listTransactions } from '#src/generated/merchants/sdk.gen.ts';
import { Button } from '#src/look/button.tsx';
import { saveFile } from '#src/look/save-file.ts';
import type { StatementQuery } from '#src/merchants/addresses.ts';
import { contract } from '#src/merchants/contract.ts';
import { ownZone } from '#src/merchants/list-filters.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

const csv = { ...contract, accept: 'text/csv' };

/** The whole statement of the filters as a file, with names and documents as they are. */
export function DownloadStatement({ query: { cursor: _page, ...query } }: { readonly query: StatementQuery }) {
  const { texts } = useMerchantTexts();
  const asked = { ...query, format: 'accounting', zone: ownZone() } as const;
  const download = useMutation({
    mutationFn: () => bodyOf(listTransactions({ query: asked, headers: csv, parseAs: 'blob' })),
    onSuccess: (file) => saveFile(file as unknown as Blob, `statement-${query.from ?? ''}-${query.to ?? ''}.csv`),
  });
  return (
    <>
      <Button busy={download.isPending} onClick={() => download.mutate()}>
        {texts.statement.download}
      </Button>
      {download.error ? <Failed error={download.error} /> : null}
    </>
  );
}
