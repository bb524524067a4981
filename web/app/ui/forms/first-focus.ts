import { useEffect } from 'react';

/** For what stands in the place of a form or a button that is gone, and the focus went with it. */
export const takeFocus = (element: HTMLElement | null) => element?.focus();

/** For what goes once it was pressed, where nothing takes its place: the focus goes to the page, not to its body. */
export const leaveFocus = (element: HTMLElement | null) => () => {
  if (element?.contains(document.activeElement))
    document.getElementById('main')?.focus({ preventScroll: true });
};

/**
 * A form begins in this field. At once: the form library's own way waits for a timer, and by then somebody may be
 * elsewhere already, for example at the question whether what was typed shall be lost.
 */
export function useFirstFocus(fieldName: string): void {
  useEffect(() => document.getElementsByName(fieldName)[0]?.focus(), [fieldName]);
}
