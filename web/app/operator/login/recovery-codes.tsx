import { Download } from 'lucide-react';
import { brand } from '../../brand.ts';
import { Button } from '../../ui/actions/button.tsx';
import { CopyButton } from '../../ui/actions/copy.tsx';

interface RecoveryCodesProps {
  email: string;
  codes: readonly string[];
  onKept: () => void;
}

export function RecoveryCodes({ email, codes, onKept }: RecoveryCodesProps) {
  return (
    <div className="mt-6 grid gap-4.5">
      <ol className="grid grid-cols-2 gap-x-4 gap-y-2 rounded-code bg-sunken px-4 py-4 font-mono text-control inset-ring inset-ring-line">
        {codes.map((code) => (
          <li key={code} className="text-center">
            {code}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join('\n')} label="Copy all" labelled />
        <Button look="soft" className="px-3.5! text-label!" onClick={() => download(email, codes)}>
          <Download className="size-4" aria-hidden="true" />
          Download
        </Button>
      </div>
      <p className="text-control text-2">
        Keep them where only you can find them, and not beside your password. Without them and without your
        phone, your authenticator has to be reset on the server.
      </p>
      <Button look="primary" size="large" onClick={onKept}>
        I have kept them
      </Button>
    </div>
  );
}

function download(email: string, codes: readonly string[]): void {
  const text = `${brand.name}, operator console\nRecovery codes of ${email}. Each works once.\n\n${codes.join('\n')}\n`;
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(address);
}
