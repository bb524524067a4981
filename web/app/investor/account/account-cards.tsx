import { download, downloadsPerDay } from '@tallystick/contract/account';
import { Download, UserRoundX } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { fetchFile } from '../../api.ts';
import { failureDetail } from '../../domain/forms/submission.tsx';
import { saveFile } from '../../domain/save-file.ts';
import { logFailure } from '../../log.ts';
import { endSession } from '../../storage.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { entriesGivenBack } from '../../ui/overlays/own-entry.ts';
import { toastFailure, toastSuccess } from '../../ui/overlays/toast.tsx';
import { useMoneyOff } from '../offline/reach.ts';
import { isGivenUp } from '../security/act.ts';

/** Hardly anybody ever opens it. */
const CloseModal = lazy(async () => ({ default: (await import('./close-modal.tsx')).CloseModal }));

/** What concerns the account as a whole. Neither asks for money, and both need the server. */
export function AccountCards() {
  return (
    <>
      <YourData />
      <CloseAccount />
    </>
  );
}

/** Side by side they end on one line, and so do their buttons. */
const cardClass = 'flex flex-col self-stretch';

function useDownload() {
  const [busy, setBusy] = useState(false);

  async function start() {
    setBusy(true);
    try {
      const { file, name } = await fetchFile(download, {});
      saveFile(file, name);
      toastSuccess('Everything was downloaded', 'Keep it where nobody else finds it.');
    } catch (error) {
      if (isGivenUp(error)) return;
      logFailure('Error downloading everything:', error);
      toastFailure('The download did not work', failureDetail(error));
    } finally {
      setBusy(false);
    }
  }

  return { busy, start };
}

function YourData() {
  const { busy, start } = useDownload();
  const off = useMoneyOff();
  return (
    <Card aria-labelledby="your-data" className={cardClass}>
      <div className="grow px-5 pt-5 pb-4 tablet:px-7 tablet:pt-6">
        <h2 id="your-data" className="text-body/5.5 tracking-[-0.01em]">
          Your data
        </h2>
        <p className="mt-1 text-label text-2">
          Everything we hold about you in one zip: every entry, deposit, withdrawal and investment, where you
          signed in, and what was done with your account. As JSON and as CSV, up to {downloadsPerDay} times a
          day.
        </p>
      </div>
      <div className="border-t border-line px-5 py-4 tablet:px-7">
        <Button busy={busy} onClick={start} {...off}>
          <Download className="size-4" aria-hidden="true" />
          {busy ? 'Downloading' : 'Download everything about me'}
        </Button>
      </div>
    </Card>
  );
}

function CloseAccount() {
  const [isOpen, setOpen] = useState(false);
  const [isClosed, setClosed] = useState(false);
  // The modal first gives its place in the browser's history back; then the area's guard leads out.
  useEffect(() => {
    if (isClosed) void entriesGivenBack().then(() => endSession('closed'));
  }, [isClosed]);
  function onDone() {
    setOpen(false);
    setClosed(true);
  }
  const off = useMoneyOff();
  return (
    <Card aria-labelledby="close-account" className={cardClass}>
      <div className="grow px-5 pt-5 pb-4 tablet:px-7 tablet:pt-6">
        <h2 id="close-account" className="text-body/5.5 tracking-[-0.01em]">
          Close my account
        </h2>
        <p className="mt-1 text-label text-2">
          When it is empty, and for good. Your name and every way to sign in are deleted; the books keep their
          entries without your name. Download your data before.
        </p>
      </div>
      <div className="border-t border-line px-5 py-4 tablet:px-7">
        <Button look="quiet" className="-ml-[18px]" onClick={() => setOpen(true)} {...off}>
          <UserRoundX className="size-4" aria-hidden="true" />
          Close my account
        </Button>
      </div>
      {isOpen && (
        <Suspense fallback={null}>
          <CloseModal onClose={() => setOpen(false)} onDone={onDone} />
        </Suspense>
      )}
    </Card>
  );
}
