import { DomainError } from '@gateway/contracts/errors';

/**
 * A repeat is answered with the record as it is, whatever its body says (api.md 1): what would be refused now, and not by the
 * service that keeps the records, is refused only where no earlier call has made a record.
 *
 * @param read what is to be asked of that service
 * @param find the record with the `external_id` of the call
 * @throws DomainError the refusal, where there is no record
 */
export async function unlessKnown<Request, Known>(
  read: () => Promise<Request>,
  find: () => Promise<Known | undefined>,
): Promise<{ readonly request: Request } | { readonly known: Known }> {
  try {
    return { request: await read() };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const known = await find();
    if (known === undefined) throw error;
    return { known };
  }
}
