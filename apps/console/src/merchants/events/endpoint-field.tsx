import { useEffect } from 'react';
import { SelectField } from '#src/look/field.tsx';
import { useEndpoints } from '#src/merchants/webhooks/use-endpoints.ts';
import { Failed, Skeleton } from '#src/records/page-states.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';

interface EndpointFieldProps {
  /** The id of an endpoint; empty until there is one to choose. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** One of the account's endpoints, by its name, with its state where nothing is sent to it. */
export function EndpointField({ value, onChange }: EndpointFieldProps) {
  const { texts } = useMerchantTexts();
  const { events, webhooks } = texts;
  const { data, error, refetch } = useEndpoints();
  const endpoints = data?.data;
  const first = endpoints?.[0]?.id;
  useEffect(() => {
    if (value === '' && first !== undefined) onChange(first);
  }, [value, first, onChange]);
  if (!endpoints) return error ? <Failed error={error} retry={() => void refetch()} /> : <Skeleton lines={2} />;
  if (endpoints.length === 0) return <p>{events.noEndpoints}</p>;
  const options = endpoints.map(({ id, name, status }) => ({
    value: id,
    label: status === 'enabled' ? name : `${name} (${webhooks.status[status]})`,
  }));
  return <SelectField label={webhooks.one} options={options} value={value} onChange={onChange} />;
}
