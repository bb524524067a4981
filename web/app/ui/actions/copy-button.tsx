import { Check, Copy, X } from 'lucide-react';
import { Button } from './button.tsx';
import { CopySaid, useCopying } from './copying.tsx';

const icons = { idle: Copy, copied: Check, failed: X };

interface CopyButtonProps {
  text: string;
  label: string;
  /** Shows the label beside the icon. */
  labelled?: boolean;
}

/** Puts a text on the clipboard and says whether that worked. */
export function CopyButton({ text, label, labelled = false }: CopyButtonProps) {
  const { state, copy } = useCopying(text);
  const Icon = icons[state];
  return (
    <>
      {labelled ? (
        <Button look="soft" className="px-3.5! text-label!" onClick={copy}>
          <Icon className="size-4" aria-hidden="true" />
          {label}
        </Button>
      ) : (
        <button
          type="button"
          aria-label={label}
          onClick={copy}
          className="grid size-11 shrink-0 place-items-center rounded-control text-3 hover:text-1"
        >
          <Icon className="size-4" aria-hidden="true" />
        </button>
      )}
      <CopySaid state={state} />
    </>
  );
}
