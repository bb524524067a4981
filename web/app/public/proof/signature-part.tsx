import { Live, Where } from './live-part.tsx';

/** How others' tools check what an address has signed, by the rule that it holds by. */
const checks = {
  bip137:
    'Put address, message and signature into ‘Verify message’ of Electrum or Sparrow, or, if the address begins with 1, behind verifymessage of Bitcoin Core.',
  bip322:
    'Put address, message and signature into ‘Verify message’ of Sparrow, or of another tool that knows BIP-322.',
  eip191:
    'Put address, message and signature into ‘Verify message’ of MyEtherWallet, or on etherscan.io/verifiedSignatures.',
  xrp: 'In ripple-keypairs, a part of xrpl.js, verify must say true of the message in hexadecimal digits, the signature and the public key, and deriveAddress must make this address of the public key.',
};

/** What an address has signed, or that it has not. */
export function SignaturePart() {
  return (
    <>
      <Where text="unsigned" className="mt-1.5 text-label text-2">
        Not signed yet: that this address is ours is our word alone.
      </Where>
      <div data-optional className="mt-1.5">
        <p className="text-label text-2">
          With a signature by this address for everybody to check, in the log since <Live text="signed" />
        </p>
        <details>
          <summary className="min-h-11 w-fit cursor-pointer rounded-small py-2.5 pr-2 text-label font-semibold text-accent-text -outline-offset-2">
            Message and signature
          </summary>
          <dl className="rounded-code bg-sunken px-4 pt-0.5 pb-3.5 text-label inset-ring inset-ring-line">
            <Signed name="Address" text="address" />
            <Signed name="Message" text="message" />
            <Signed name="Signature" text="signature" />
            <div data-optional>
              <Signed name="Public key" text="publickey" />
            </div>
          </dl>
          {Object.entries(checks).map(([scheme, text]) => (
            <Where key={scheme} text={scheme} className="mt-2 max-w-[66ch] pb-2 text-label text-2">
              {text}
            </Where>
          ))}
        </details>
      </div>
    </>
  );
}

function Signed({ name, text }: { name: string; text: string }) {
  return (
    <div className="relative">
      <dt className="flex h-11 items-center text-2">{name}</dt>
      <dd>
        <Live text={text} className="font-mono text-[0.93em] wrap-anywhere" />
        <button
          type="button"
          data-copy
          className="absolute top-0 -right-2 h-11 rounded-small px-2 font-semibold text-accent-text -outline-offset-2"
        >
          <span className="[&:has(+:not(:empty))]:hidden">
            Copy<span className="sr-only"> {name.toLowerCase()}</span>
          </span>
          <span role="status" />
        </button>
      </dd>
    </div>
  );
}
