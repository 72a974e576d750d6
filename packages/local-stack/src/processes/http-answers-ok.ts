const probeTimeoutMs = 2_000;

/** Whether a GET answers 2xx within two seconds. Never throws. */
export async function httpAnswersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(probeTimeoutMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
