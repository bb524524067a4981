import { Download, Printer } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { brand } from '../../brand.ts';
import { Button } from '../../ui/actions/button.tsx';
import { CopyButton } from '../../ui/actions/copy.tsx';
import { saveFile } from '../save-file.ts';
import './recovery-codes.css';

interface RecoveryCodesProps {
  /** What they open, as it stands above them in the file and on paper. */
  of: string;
  email: string;
  codes: readonly string[];
  onKept: () => void;
  className?: string;
  /** What becomes of whoever loses them. */
  children: ReactNode;
}

/** Shown once: to copy, to save and to print, and then to be gone. */
export function RecoveryCodes({ of, email, codes, onKept, className = '', children }: RecoveryCodesProps) {
  const list = useRef<HTMLOListElement>(null);
  // The form before it is gone, and the focus went with it.
  useEffect(() => list.current?.focus(), []);
  const head = [of, `Recovery codes of ${email}. Each works once.`];
  const save = () => saveFile(new Blob([`${[...head, '', ...codes].join('\n')}\n`]), 'recovery-codes.txt');
  return (
    <div className={`recovery-codes grid gap-4.5 ${className}`}>
      <p className="hidden whitespace-pre-line print:block">{head.join('\n')}</p>
      <ol
        ref={list}
        tabIndex={-1}
        aria-label="Recovery codes"
        className="grid gap-x-4 gap-y-1.5 rounded-code bg-sunken px-4 py-4 font-mono text-control inset-ring inset-ring-line tablet:grid-cols-2 tablet:gap-y-2 print:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="text-center">
            {code}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2 print:hidden">
        <CopyButton text={codes.join('\n')} label="Copy all" labelled />
        <Button look="soft" className="px-3.5! text-label!" onClick={save}>
          <Download className="size-4" aria-hidden="true" />
          Download
        </Button>
        <Button look="soft" className="px-3.5! text-label!" onClick={() => print()}>
          <Printer className="size-4" aria-hidden="true" />
          Print
        </Button>
      </div>
      <p className="text-control text-2 print:hidden">
        Keep them where only you can find them, and not beside your password. {children}
      </p>
      <Button look="primary" size="large" className="print:hidden" onClick={onKept}>
        I have kept them
      </Button>
    </div>
  );
}

/** What the codes of an investor and of an operator open. */
export const codesOf = { investor: brand.name, operator: `${brand.name}, operator console` } as const;
