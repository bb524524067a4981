/** The two halves close: the one moment in the product that is allowed to move by itself. */
export function SuccessMark() {
  return (
    <svg viewBox="0 0 84 76" className="mb-5 block h-[66px] w-18 overflow-visible" aria-hidden="true">
      <defs>
        <linearGradient id="success-left">
          <stop offset="0" stopColor="#EBCB9C" />
          <stop offset="1" stopColor="#D2A56C" />
        </linearGradient>
        <linearGradient id="success-right">
          <stop offset="0" stopColor="#CFA068" />
          <stop offset="1" stopColor="#A97842" />
        </linearGradient>
      </defs>
      <path
        className="animate-closing [--apart:-4px]"
        fill="url(#success-left)"
        d="M10 6h30v13l-12 8 12 8v8l-12 8 12 8v11H10a4 4 0 0 1-4-4V10a4 4 0 0 1 4-4Z"
      />
      <path
        className="animate-closing [--apart:4px]"
        fill="url(#success-right)"
        d="M74 6H44v13l12 8-12 8v8l12 8-12 8v11h30a4 4 0 0 0 4-4V10a4 4 0 0 0-4-4Z"
      />
    </svg>
  );
}
