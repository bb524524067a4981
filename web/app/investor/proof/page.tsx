import { writeProofFile } from '@tallystick/verify/proof-file';
import { Download, RefreshCw } from 'lucide-react';
import { pageMeta } from '../../brand.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { saveFile } from '../../domain/save-file.ts';
import { useSession } from '../../storage.ts';
import { Button } from '../../ui/actions/button.tsx';
import { BackLink } from '../../ui/actions/links.tsx';
import { ErrorNotice, QuietNotice } from '../../ui/facts/notice.tsx';
import { Card, CardTitle } from '../../ui/layout/card.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Steps } from './steps.tsx';
import { type Checked, rememberNewKey, useProof } from './use-proof.ts';
import { Alarm, Verdict } from './verdict.tsx';

export const meta = () => pageMeta('Proof', 'Your money, found in the total owed by your own browser.');

export default function MyProof() {
  const session = useSession();
  const { data, isError, isFetching, refetch } = useProof({
    userId: session?._id ?? '',
    email: session?.email ?? '',
  });
  const checked = isFetching ? undefined : data;
  const isBroken = checked?.shown.steps.some(({ state }) => state === 'broken') ?? false;
  const save = (what: 'proof' | 'evidence') => {
    if (!checked) return;
    const name = `tallystick-${what}-${checked.file.saved.slice(0, 10)}.json`;
    saveFile(new Blob([writeProofFile(checked.file)], { type: 'application/json' }), name);
  };
  const goOn = ({ shown, file }: Checked) => {
    if (rememberNewKey(shown.otherKey, file)) void refetch();
  };
  return (
    <>
      <BackLink to="/dashboard" prefetch="intent" className="-my-2 justify-self-start">
        Dashboard
      </BackLink>
      <PageHead
        title="Proof"
        note="Recomputed in your browser, with code that shares nothing with the server."
      >
        {/* Not switched off meanwhile: whoever pressed it with the keyboard would lose their place. */}
        <Button aria-busy={isFetching} onClick={() => isFetching || void refetch()}>
          <RefreshCw className="size-4" aria-hidden="true" />
          Check again
        </Button>
      </PageHead>
      {checked && isBroken && (
        <Alarm shown={checked.shown} onSave={() => save('evidence')} onGoOn={() => goOn(checked)} />
      )}
      {checked?.shown.stopped && (
        <Card className="p-5">
          <ErrorNotice
            title="Nothing new is signed at the moment"
            detail={`What is checked here was signed before. The server says to whoever runs it: ${checked.shown.stopped}`}
          />
        </Card>
      )}
      {isError && !isFetching ? (
        <Failed onRetry={() => void refetch()}>
          The proof could not be fetched, so nothing was checked. What this browser remembers stays as it was.
        </Failed>
      ) : (
        !isBroken && <Verdict shown={checked?.shown} />
      )}
      <Steps shown={checked?.shown} hasFailed={isError && !isFetching} />
      {checked && !isBroken && <SaveCard onSave={() => save('proof')} />}
    </>
  );
}

function SaveCard({ onSave }: { onSave: () => void }) {
  return (
    <Card aria-label="Keep it" className="grid gap-4 p-5 tablet:p-6">
      <CardTitle>Keep it</CardTitle>
      <p className="max-w-[72ch] text-control text-2">
        One file holds everything that was checked above. To check it again without us, save the page{' '}
        <a className="textlink" href="/verify.html">
          /verify.html
        </a>{' '}
        too, open it from your disk with the network off, choose the file and type your{' '}
        <span className="whitespace-nowrap">e-mail</span> address.
      </p>
      <QuietNotice>
        The file shows your entries and amounts to whoever has it. Give it only to people who may see them.
      </QuietNotice>
      <Button look="primary" className="justify-self-start max-tablet:w-full" onClick={onSave}>
        <Download className="size-4" aria-hidden="true" />
        Save my proof
      </Button>
    </Card>
  );
}
