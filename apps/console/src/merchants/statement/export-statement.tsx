import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createExport, getExport, listTransactions } from '#src/generated/merchants/sdk.gen.ts';
import type { Export } from '#src/generated/merchants/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Choice } from '#src/look/field.tsx';
import { saveFile } from '#src/look/save-file.ts';
import type { StatementQuery } from '#src/merchants/addresses.ts';
import { contract } from '#src/merchants/contract.ts';
import { ownZone } from '#src/merchants/list-filters.tsx';
import { brazilianCsv } from '#src/merchants/statement/brazilian-csv.ts';
import { DialogForm } from '#src/records/dialog-form.tsx';
import { Failed, Notice } from '#src/records/page-states.tsx';
import { backgroundHeaders, bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

const forms = ['spreadsheet', 'programs', 'ofx', 'camt053'] as const;
type Form = (typeof forms)[number];

const csv = { ...contract, accept: 'text/csv' };
const underWayRefetchMs = 1_500;

/** The statement of the filters as a file, for a spreadsheet, for programs, or as banks exchange it. */
export function ExportStatement({ query: { cursor: _page, ...query } }: { readonly query: StatementQuery }) {
  const { texts } = useMerchantTexts();
  const { export: words } = texts.statement;
  const [isOpen, setOpen] = useState(false);
  const [form, setForm] = useState<Form>('spreadsheet');
  const [exportId, setExportId] = useState<string>();
  const make = useMutation({
    mutationFn: async () => {
      if (form === 'ofx' || form === 'camt053') return (await bodyOf(begin(query, form))).id;
      const asked = { ...query, format: 'accounting', zone: ownZone() } as const;
      const answer = await bodyOf(listTransactions({ query: asked, headers: csv, parseAs: 'text' }));
      const text = answer as unknown as string;
      const name = `statement-${[query.from, query.to].filter(Boolean).join('-')}.csv`;
      saveFile(new Blob([form === 'spreadsheet' ? brazilianCsv(text) : text], { type: 'text/csv' }), name);
      return undefined;
    },
    onSuccess: (id) => (id === undefined ? setOpen(false) : setExportId(id)),
  });
  const isBankForm = form === 'ofx' || form === 'camt053';
  const hasPeriod = query.from !== undefined && query.to !== undefined;
  return (
    <>
      <Button
        onClick={() => {
          make.reset();
          setExportId(undefined);
          setOpen(true);
        }}
      >
        {words.open}
      </Button>
      <DialogForm
        open={isOpen}
        onClose={() => setOpen(false)}
        title={words.title}
        about={words.about}
        confirm={words.confirm}
        sending={make}
        isComplete={!isBankForm || hasPeriod}
        send={() => make.mutate()}
      >
        <Choice
          label={words.form}
          name="form"
          options={forms.map((value) => ({ value, label: words.forms[value].name, about: words.forms[value].about }))}
          value={form}
          onChange={(chosen) => {
            setForm(chosen);
            setExportId(undefined);
          }}
        />
        {isBankForm && !hasPeriod ? <Notice>{words.takesPeriod}</Notice> : null}
        {exportId === undefined ? null : <ExportFile id={exportId} />}
      </DialogForm>
    </>
  );
}

/** Has a file written of closed days; pressed twice it is one file, as its reference says. */
function begin({ currency = 'BRL', from = '', to = '' }: StatementQuery, format: 'ofx' | 'camt053') {
  const timezone = ownZone();
  const body = { kind: 'statement', format, currency, from, to, timezone } as const;
  const reference = `console ${format} ${currency} ${from} ${to} ${timezone}`;
  return createExport({ body: { ...body, external_id: reference }, headers: contract });
}

/** How far the file is, and the link to it. */
function ExportFile({ id }: { readonly id: string }) {
  const { texts } = useMerchantTexts();
  const { export: words } = texts.statement;
  const queryKey = ['export', id];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal, client }) => {
      const headers = { ...contract, ...backgroundHeaders(client.getQueryData(queryKey) !== undefined) };
      return bodyOf(getExport({ path: { id }, headers, signal }));
    },
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? underWayRefetchMs : false),
  });
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (isUnderWay(data)) return <p role="status">{words.underWay}</p>;
  const address = data?.download_url ?? null;
  if (address === null) return <Notice>{words.failed}</Notice>;
  return (
    <p role="status">
      <a href={address}>{words.download}</a>
    </p>
  );
}

function isUnderWay(file: Export | undefined): boolean {
  return file === undefined || file.status === 'PROCESSING';
}
