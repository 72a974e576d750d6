/** A document as small as one can be, in the form in which it is sent: the bytes, and the header that goes with them. */
export async function formWithFile(): Promise<{
  readonly bytes: Uint8Array;
  readonly headers: Record<string, string>;
}> {
  const form = new FormData();
  const content = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n';
  form.append('file', new Blob([content]), 'receipt.pdf');
  const sent = new Response(form);
  const type = sent.headers.get('content-type') ?? '';
  return { bytes: new Uint8Array(await sent.arrayBuffer()), headers: { 'content-type': type } };
}
