import { CircleAlert, CircleCheck } from 'lucide-react';
import { Toaster, toast } from 'sonner';
import './toast.css';

/** Top right, five seconds; the clock stands still while a toast is hovered or focused. */
export function Toasts() {
  return (
    <Toaster
      className="font-sans"
      position="top-right"
      duration={5000}
      visibleToasts={3}
      // One beneath the other: in a stack, the button of all but the first is covered.
      expand
      offset={{ top: 'calc(80px + var(--ribbon))', right: 24 }}
      mobileOffset={{ top: 'calc(72px + var(--ribbon))', left: 12, right: 12 }}
      toastOptions={{
        unstyled: true,
        closeButton: true,
        classNames: {
          toast:
            'on-ink flex min-h-14 items-center gap-3 rounded-large bg-ink py-2 pr-2 pl-4 text-control text-on-ink shadow-3 min-[601px]:w-[356px]',
          title: 'font-semibold',
          description: 'text-label text-on-ink-2',
          icon: 'text-hazel-hi',
          content: 'flex-1',
          closeButton:
            'order-last grid size-11 place-items-center rounded-control text-on-ink-2 hover:text-on-ink',
        },
      }}
    />
  );
}

/** `detail` says why, in smaller type beneath the catalogue's words. */
export function toastFailure(title: string, detail?: string): void {
  const icon = <CircleAlert className="size-5" strokeWidth={1.75} aria-hidden="true" />;
  toast(title, { icon, description: detail });
}

/** What failed before is no news once it was done. */
export function dismissToasts(): void {
  toast.dismiss();
}

export function toastSuccess(title: string, detail?: string): void {
  const icon = <CircleCheck className="size-5" strokeWidth={1.75} aria-hidden="true" />;
  toast(title, { icon, description: detail });
}
