import { useEffect } from 'react';

/**
 * A form begins in this field. At once: the form library's own way waits for a timer, and by then somebody may be
 * elsewhere already, for example at the question whether what was typed shall be lost.
 */
export function useFirstFocus(fieldName: string): void {
  useEffect(() => document.getElementsByName(fieldName)[0]?.focus(), [fieldName]);
}
