import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useRef, useState } from 'react';
import { Selected } from '#src/changes/fields.tsx';
import { listProviders, submitStatementFile } from '#src/generated/sdk.gen.ts';
import type { StatementDryRun, StatementFile, SubmitStatementFileData } from '#src/generated/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Dialog, DialogButtons } from '#src/look/dialog.tsx';
import { TextField } from '#src/look/field.tsx';
import { exponents } from '#src/money/format-money.ts';
import { ReadLines } from '#src/reconciliation/read-lines.tsx';
import { Failed, Skeleton } from '#src/records/page-states.tsx';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

type Query = SubmitStatementFileData['query'];
const formats: readonly Query['format'][] = ['ofx', 'camt053', 'cnab240', 'csv'];
const currencies = Object.keys(exponents) as NonNullable<Query['currency']>[];

/** What is sent, and whether any of it is kept. */
interface Sent {
  readonly query: Query;
  readonly body: File;
}

/** Takes a bank's statement: read first, with nothing kept, and imported then. */
export function ImportFile() {
  const { texts } = useOperatorTexts();
  const { send: words } = texts.books.files;
  const [isOpen, setOpen] = useState(false);
  const { read, take } = useStatementFile();
  const reset = () => {
    read.reset();
    // What is being imported is still imported.
    if (!take.isPending) take.reset();
  };
  const close = () => {
    setOpen(false);
    reset();
  };
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        {words.open}
      </Button>
      <Dialog open={isOpen} onClose={close} title={words.title} about={words.about}>
        {take.data ? (
          <Taken file={take.data} onClose={close} />
        ) : (
          <FileForm
            result={read.data}
            error={take.error ?? read.error}
            isPending={read.isPending || take.isPending}
            onChange={reset}
            onRead={read.mutate}
            onTake={take.mutate}
            onClose={close}
          />
        )}
      </Dialog>
    </>
  );
}

/** A reading, and what was read. */
interface Result {
  readonly read: StatementDryRun;
  readonly sent: Sent;
}

/** Sends a file, to be read alone or to be imported. What is answered to the one is not what is answered to the other. */
function useStatementFile() {
  const queries = useQueryClient();
  const read = useMutation({
    mutationFn: async (sent: Sent): Promise<Result> => {
      const { query, body } = sent;
      const dryRun = (await bodyOf(
        submitStatementFile({ query: { ...query, dry_run: 'true' }, body }),
      )) as StatementDryRun;
      return { read: dryRun, sent };
    },
  });
  const take = useMutation({
    mutationFn: async (sent: Sent) => (await bodyOf(submitStatementFile(sent))) as StatementFile,
    onSettled: () => void queries.invalidateQueries({ queryKey: ['statement-files'] }),
  });
  return { read, take };
}

interface FileFormProps {
  readonly result: Result | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  /** What was read before is of other fields, or of another file. */
  readonly onChange: () => void;
  readonly onRead: (sent: Sent) => void;
  readonly onTake: (sent: Sent) => void;
  readonly onClose: () => void;
}

function FileForm({ result, error, isPending, onChange, onRead, onTake, onClose }: FileFormProps) {
  const { texts } = useOperatorTexts();
  const { files } = texts.books;
  const { send: words } = files;
  const form = useRef<HTMLFormElement>(null);
  const providers = useQuery({ queryKey: ['providers'], queryFn: ({ signal }) => bodyOf(listProviders({ signal })) });
  const submitReading = () => {
    const sent = form.current?.reportValidity() === true ? sentIn(new FormData(form.current)) : undefined;
    if (sent && !isPending) onRead(sent);
  };
  /** Of what was read, and nothing else. */
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (result && !isPending) onTake(result.sent);
  };
  const options = (providers.data?.data ?? [])
    .filter(({ environment, kind }) => environment === 'live' && kind === 'payments')
    .map(({ id }) => ({ value: id, label: id }));
  const [first] = options;
  if (providers.error) return <Failed error={providers.error} retry={() => void providers.refetch()} />;
  if (!first) return <Skeleton />;
  const { account: ofAccount, ...others } = error instanceof Refusal ? error.faults : {};
  // What cannot be read is named by its line and field.
  const ofFile = Object.entries(others).map(([path, reason]) => (path === 'file' ? reason : `${path}: ${reason}`));
  return (
    <form ref={form} onSubmit={onSubmit} onChange={onChange}>
      <Selected name="provider" label={texts.facts.provider} options={options} initial={first.value} />
      <Selected
        name="format"
        label={files.format}
        options={formats.map((value) => ({ value, label: files.formats[value] }))}
        initial="ofx"
      />
      <Selected
        name="currency"
        label={texts.providers.currency}
        options={currencies.map((value) => ({ value, label: value }))}
        initial="BRL"
      />
      <TextField
        name="file"
        label={words.chosen}
        type="file"
        fault={ofFile.length === 0 ? undefined : ofFile.join(' ')}
        required
      />
      <TextField name="account" label={words.account} hint={words.accountHint} fault={ofAccount} maxLength={80} />
      {result ? <ReadLines read={result.read} currency={result.sent.query.currency ?? 'BRL'} /> : null}
      {error ? <Failed error={error} /> : null}
      <DialogButtons>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button busy={isPending} onClick={submitReading}>
          {words.read}
        </Button>
        <Button type="submit" look="primary" busy={isPending || !result}>
          {words.confirm}
        </Button>
      </DialogButtons>
    </form>
  );
}

/** Of the form; undefined without a file. */
function sentIn(typed: FormData): Sent | undefined {
  const body = typed.get('file');
  if (!(body instanceof File)) return undefined;
  const textOf = (name: string) => {
    const text = typed.get(name);
    return typeof text === 'string' ? text.trim() : '';
  };
  const account = textOf('account');
  const query = { provider: textOf('provider'), format: textOf('format'), currency: textOf('currency') } as Query;
  return { query: { ...query, ...(account === '' ? {} : { account }) }, body };
}

function Taken({ file, onClose }: { readonly file: StatementFile; readonly onClose: () => void }) {
  const { texts } = useOperatorTexts();
  const { files } = texts.books;
  const { summary } = file;
  return (
    <>
      <p role="status">{files.send.imported}</p>
      {summary ? <p>{files.newLines(summary.lines, summary.new_lines)}</p> : null}
      <DialogButtons>
        <Button look="primary" onClick={onClose}>
          {texts.changes.close}
        </Button>
      </DialogButtons>
    </>
  );
}
