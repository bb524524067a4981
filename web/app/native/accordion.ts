/** The answers of `accordion.tsx`: one open at a time, and a second press folds it again. */
document.addEventListener('click', (event) => {
  const pressed = (event.target as Element).closest('[data-accordion] [aria-expanded]');
  if (!pressed) return;
  event.preventDefault();
  const questions = pressed.closest('[data-accordion]')?.querySelectorAll('[aria-expanded]') ?? [];
  const opens = pressed.getAttribute('aria-expanded') !== 'true';
  for (const question of questions) {
    question.setAttribute('aria-expanded', String(opens && question === pressed));
  }
});

export {};
