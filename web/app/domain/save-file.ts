import { useState } from 'react';
import { ApiRefusal, isSessionOver } from '../api.ts';
import { logFailure } from '../log.ts';

/** Gives the reader a file, as if a link to it had been pressed. */
export function saveFile(file: Blob, name: string): void {
  const link = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(file),
    download: name,
  });
  link.click();
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A file that the server makes when it is asked for. `saved` is the name of the last one; `failed` is what the log says. */
export function useSaving(failed: string) {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [saved, setSaved] = useState<string | null>(null);

  async function save(make: () => Promise<{ file: Blob; name: string }>): Promise<void> {
    setBusy(true);
    setRefusal(null);
    setSaved(null);
    try {
      const { file, name } = await make();
      saveFile(file, name);
      setSaved(name);
    } catch (error) {
      if (isSessionOver(error)) return;
      logFailure(failed, error);
      setRefusal(
        error instanceof ApiRefusal ? error.message : 'The server could not be reached. No file was made.',
      );
    } finally {
      setBusy(false);
    }
  }

  return { busy, refusal, saved, save };
}
