export type {
  BrCode,
  BrCodeDeviation,
  BrCodeRefusal,
  BrCodeResult,
  DynamicBrCode,
  RecurrenceBrCode,
  StaticBrCode,
} from '#src/br-code/br-code.ts';
export { brCodeAmountMaxCents } from '#src/br-code/br-code.ts';
export { crc16 } from '#src/br-code/crc16.ts';
export {
  encodeDynamicBrCode,
  encodeStaticBrCode,
  type DynamicBrCodeInput,
  type StaticBrCodeInput,
} from '#src/br-code/encode-br-code.ts';
export { parseBrCode } from '#src/br-code/parse-br-code.ts';
export { bankOfClabe, newClabe, parseClabe, type ClabeResult } from '#src/clabe.ts';
export { maskDocument, parseDocument, type DocumentKind, type DocumentResult } from '#src/documents/document.ts';
export { parseMexicanDocument } from '#src/documents/mexican-document.ts';
export { inboundEndToEndIdMaxCharacters, isEndToEndId, newEndToEndId } from '#src/identifiers/end-to-end-id.ts';
export { toProviderReference } from '#src/identifiers/provider-reference.ts';
export { isRefundId, isReturnId, newReturnId } from '#src/identifiers/return-id.ts';
export type { SpiIdInput } from '#src/identifiers/spi-id.ts';
export { isChargeTxid, isReceivedTxid } from '#src/identifiers/txid.ts';
export { ispbOfEndToEndId, type Participants, readParticipants, shippedParticipants } from '#src/participants.ts';
export { inferPixKey } from '#src/keys/infer-pix-key.ts';
export { maskPixKey } from '#src/keys/mask-pix-key.ts';
export {
  isPixKeyType,
  parsePixKey,
  pixKeyTypes,
  type PixKeyRefusal,
  type PixKeyResult,
  type PixKeyType,
} from '#src/keys/pix-key.ts';
