export default function MyProof() {
  return null;
}
