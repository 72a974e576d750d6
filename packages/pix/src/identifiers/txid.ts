/** True for the txid of a charge: 26–35 letters and digits, unique per receiver (Pix API 2.9.0 `TxId`). */
export function isChargeTxid(text: string): boolean {
  return /^[A-Za-z0-9]{26,35}$/.test(text);
}

/** True for the txid a received Pix may carry: 1–35 letters and digits, as static codes have shorter ones (Pix API 2.9.0). */
export function isReceivedTxid(text: string): boolean {
  return /^[A-Za-z0-9]{1,35}$/.test(text);
}
