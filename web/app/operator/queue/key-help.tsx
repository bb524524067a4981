import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';

/** In the order they are explained. */
const keyHelp: readonly { keys: readonly string[]; text: string }[] = [
  { keys: ['j'], text: 'Next request' },
  { keys: ['k'], text: 'Request before' },
  { keys: ['Enter'], text: 'Open the request' },
  { keys: ['c'], text: 'Confirm, approve or mark as paid: opens it at that step' },
  { keys: ['r'], text: 'Reject or discard: opens it at that step' },
  { keys: ['Esc'], text: 'Close what is open' },
  { keys: ['?'], text: 'This overview' },
];

function Key({ children }: { children: string }) {
  return (
    <kbd className="inline-grid min-h-6 min-w-6 place-items-center rounded-[6px] bg-surface px-1.5 font-mono text-[0.75rem] text-2 inset-ring inset-ring-line">
      {children}
    </kbd>
  );
}

/** Where there is a keyboard, one line says that it can be used. */
export function KeyHint({ onHelp }: { onHelp: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-caption text-3 max-tablet:hidden">
      <Key>j</Key>
      <Key>k</Key> move
      <Key>Enter</Key> open
      <Key>c</Key> confirm or approve
      <Key>r</Key> reject
      <button type="button" onClick={onHelp} className="textlink min-h-6 text-3">
        <Key>?</Key> all keys
      </button>
    </p>
  );
}

export function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal narrow onClose={onClose}>
      <ModalHead>Keys in the queue</ModalHead>
      <ModalBody>
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2.5 text-control">
          {keyHelp.map(({ keys, text }) => (
            <div key={text} className="contents">
              <dt className="flex gap-1.5">
                {keys.map((key) => (
                  <Key key={key}>{key}</Key>
                ))}
              </dt>
              <dd className="text-2">{text}</dd>
            </div>
          ))}
        </dl>
        <p className="text-caption text-3">They rest while you type in a field.</p>
      </ModalBody>
    </Modal>
  );
}
