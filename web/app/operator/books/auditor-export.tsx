import { liabilities, passphraseHeader } from '@tallystick/contract/operator/books';
import type { Statement } from '@tallystick/contract/proof';
import { type FormEvent, useState } from 'react';
import { fetchFile } from '../../api.ts';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { useSaving } from '../../domain/save-file.ts';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { CopyButton } from '../../ui/actions/copy.tsx';
import { ErrorNotice, QuietNotice } from '../../ui/facts/notice.tsx';
import { SelectFilter } from '../../ui/lists/filter.tsx';
import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';

/** What an auditor needs to add a statement up alone: everybody's part of it, sealed. */
export function AuditorExport({ statements }: { statements: Statement[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" className="max-tablet:w-full" onClick={() => setOpen(true)}>
        For an auditor
      </Button>
      {isOpen && (
        <Modal narrow onClose={() => setOpen(false)}>
          <ModalHead>For an auditor</ModalHead>
          <ModalBody>
            <Export statements={statements} />
          </ModalBody>
        </Modal>
      )}
    </>
  );
}

function Export({ statements }: { statements: Statement[] }) {
  const [chosen, setChosen] = useState(String(statements[0]?.number ?? ''));
  const [passphrase, setPassphrase] = useState('');
  const { busy, refusal, saved, save } = useSaving(`${liabilities.summary}:`);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save(async () => {
      const made = await fetchFile(liabilities, { query: { number: chosen } });
      setPassphrase(made.headers.get(passphraseHeader) ?? '');
      return made;
    });
  };

  if (saved !== null) return <Passphrase name={saved} passphrase={passphrase} />;
  return (
    <form noValidate onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
      <p className="text-control text-2">
        The file has every investor’s e-mail address and amounts in one statement, so that an auditor can add
        up the total alone. It is sealed with a passphrase. The audit log says who took it.
      </p>
      <SelectFilter
        label="Statement"
        choices={statements.map((one) => ({ value: String(one.number), name: nameOf(one) }))}
        value={chosen}
        onChoose={setChosen}
      />
      {refusal && <ErrorNotice title={refusal} />}
      <SubmitButton busy={busy} busyLabel="Making the file">
        Download
      </SubmitButton>
    </form>
  );
}

const nameOf = ({ number, time }: Statement) => `Statement ${number}, ${dayOf(time)}, ${timeOf(time)}`;

/** Shown once: neither the server nor this page keeps it. */
function Passphrase({ name, passphrase }: { name: string; passphrase: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4.5" role="status">
      <p className="text-control text-2">
        <span className="font-semibold text-1">{name}</span> was saved. This passphrase opens it:
      </p>
      <p className="rounded-code bg-sunken px-4 py-3.5 font-mono text-control wrap-anywhere inset-ring inset-ring-line">
        {passphrase}
      </p>
      <div>
        <CopyButton text={passphrase} label="Copy the passphrase" labelled />
      </div>
      <QuietNotice>
        It is shown this once and kept nowhere. Give it to the auditor by another way than the file. When it
        is lost, download the file again: it gets a new one.
      </QuietNotice>
      <div className="text-label text-2">
        <p>The auditor checks it with</p>
        <code className="mt-1 block font-mono">
          {['npm run log:audit --', `--url ${location.origin}`, `--liabilities ${name}`].map((part) => (
            <span key={part} className="block wrap-anywhere">
              {part}
            </span>
          ))}
        </code>
      </div>
    </div>
  );
}
