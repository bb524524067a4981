/**
 * What comes from the server is shown in markup that React has written at build: it stands in a `<template>`, with
 * `data-text` where a text belongs.
 */
export function templateIn(place: Element, name = ''): DocumentFragment {
  const found = place.querySelector<HTMLTemplateElement>(`template${name}`);
  if (!found) throw new Error(`the page has no template${name}`);
  return found.content.cloneNode(true) as DocumentFragment;
}

/** A part that is optional goes when it has no text. */
export function fill(part: ParentNode, texts: Record<string, string | null>): void {
  for (const place of part.querySelectorAll<HTMLElement>('[data-text]')) {
    const text = texts[place.dataset.text ?? ''];
    if (text === null) place.closest('[data-optional]')?.remove();
    else if (text !== undefined) place.textContent = text;
  }
}

/** In place of what was shown; the templates stay. */
export function showIn(place: Element, ...parts: Node[]): void {
  place.replaceChildren(...place.querySelectorAll(':scope > template'), ...parts);
}

/** A list has one child, which becomes as many as there are things to show. */
export function repeat<T>(
  list: Element | null,
  things: readonly T[],
  show: (part: Element, thing: T) => void,
): void {
  const form = list?.firstElementChild;
  if (!list || !form) throw new Error('the list has nothing to repeat');
  list.replaceChildren(
    ...things.map((thing) => {
      const part = form.cloneNode(true) as Element;
      show(part, thing);
      return part;
    }),
  );
}
