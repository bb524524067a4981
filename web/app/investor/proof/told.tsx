const code = /(TS-[0-9A-Z]{4}-[0-9A-Z]{4})/;

/** A sentence of the verifier's. The code of an entry is not broken at its hyphens: people look for it as a whole. */
export function Told({ text }: { text: string }) {
  return text.split(code).map((part, at) =>
    at % 2 === 1 ? (
      <span key={part} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
