"""Checks a saved proof, or an account statement, with nothing but Python: written from docs/trust.md and docs/money.md.

    python3 proof.py <file> <e-mail address, or - for an account statement> [<key of the log> [<key of a witness> …]]

Without keys a proof is checked with those that it names itself, which proves less. It ends with an error when something
does not hold. It reads no other kind of entry than the statement of the books, and of that only what is owed.
"""

import base64
import hashlib
import json
import re
import sys
import unicodedata
from datetime import datetime, timezone

M = 2**63 - 1
DAY_MS = 86_400_000


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def need(holds, why):
    if not holds:
        raise ValueError(why)


# Ed25519 as RFC 8032, section 6, has it.
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def add(a, b):
    x, y, z, t = a
    u, v, w, s = b
    e, f = (y - x) * (v - u) % P, (y + x) * (v + u) % P
    g, h = 2 * t * s * D % P, 2 * z * w % P
    i, j, k, m = f - e, h - g, h + g, f + e
    return i * j % P, k * m % P, j * k % P, i * m % P


def times(number, point):
    total = (0, 1, 1, 0)
    while number:
        if number & 1:
            total = add(total, point)
        point = add(point, point)
        number >>= 1
    return total


def opened(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    x2 = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    need(y < P and (x * x - x2) % P == 0 and not (x == 0 and sign), "not a point")
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


BASE = opened((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def is_signed(key, text, signature):
    try:
        need(len(signature) == 64, "not a signature")
        a, r, s = opened(key), opened(signature[:32]), int.from_bytes(signature[32:], "little")
        need(s < L, "not a signature")
    except ValueError:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % L
    one, other = times(s, BASE), add(r, times(k, a))
    return all((one[n] * other[2] - other[n] * one[2]) % P == 0 for n in (0, 1))


def vkey_of(text, kind):
    name, key_id, key = text.strip().split("+", 2)
    raw = base64.b64decode(key, validate=True)
    need(len(raw) == 33 and raw[0] == kind, f"{name}: a key of another kind")
    need(sha(name.encode(), b"\n", raw)[:4].hex() == key_id, f"{name}: name and key do not belong together")
    return name, raw[1:], bytes.fromhex(key_id)


def open_note(note, vkey, witnesses=()):
    """The text that the key has signed, and who of the witnesses has signed it, too."""
    end = note.rindex("\n\n") + 1
    text, lines = note[:end], note[end + 1 : -1].split("\n")
    signatures = [(name, base64.b64decode(value)) for _, name, value in (line.split(" ") for line in lines)]
    name, key, key_id = vkey_of(vkey, 1)
    own = [value[4:] for who, value in signatures if who == name and value[:4] == key_id]
    need(own and all(is_signed(key, text.encode(), one) for one in own), f"not signed by {name}")
    cosigned = []
    for witness in witnesses:
        who, key, key_id = vkey_of(witness, 4)
        for value in [value[4:] for other, value in signatures if other == who and value[:4] == key_id]:
            head = f"cosignature/v1\ntime {int.from_bytes(value[:8], 'big')}\n"
            need(is_signed(key, (head + text).encode(), value[8:]), f"the signature of {who} is false")
            cosigned.append(who)
    return text, cosigned


def checkpoint_of(note, vkey, witnesses=()):
    text, cosigned = open_note(note, vkey, witnesses)
    origin, size, root, rest = text.split("\n")
    need(rest == "" and origin == vkey.split("+")[0], "a checkpoint of another log")
    return origin, int(size), base64.b64decode(root), cosigned


def node(left, right):
    return sha(b"\1", left, right)


def split_at(size):
    return 1 << (size - 1).bit_length() - 1


def root_by_inclusion(index, size, leaf, proof):
    """RFC 6962, 2.1.1, from the leaf up."""
    if size == 1:
        need(not proof, "a proof is too long")
        return leaf
    need(proof, "a proof is too short")
    left = split_at(size)
    if index < left:
        return node(root_by_inclusion(index, left, leaf, proof[:-1]), proof[-1])
    return node(proof[-1], root_by_inclusion(index - left, size - left, leaf, proof[:-1]))


def roots_by_consistency(old, size, old_root, proof, whole=True):
    """RFC 6962, 2.1.2: the roots of the smaller and of the larger tree."""
    if old == size:
        if whole:
            need(not proof, "a proof is too long")
            return old_root, old_root
        need(len(proof) == 1, "a proof has another length")
        return proof[0], proof[0]
    need(proof, "a proof is too short")
    left, last = split_at(size), proof[-1]
    if old <= left:
        small, large = roots_by_consistency(old, left, old_root, proof[:-1], whole)
        return small, node(large, last)
    small, large = roots_by_consistency(old - left, size - left, old_root, proof[:-1], False)
    return node(last, small), node(last, large)


def ms(text):
    shape = "%Y-%m-%dT%H:%M:%S.%fZ" if "." in text else "%Y-%m-%dT%H:%M:%SZ"
    moment = datetime.strptime(text, shape).replace(tzinfo=timezone.utc)
    return int(moment.timestamp()) * 1000 + moment.microsecond // 1000


def cents(text):
    need(re.fullmatch(r"0|[1-9][0-9]{0,18}", text) and int(text) <= M, f"{text} is no amount")
    return int(text)


def chain_at(account, kind, moment):
    """Recomputes an account, and says what it held at a moment."""
    head, balance, held, before = "0" * 64, 0, 0, 0
    for number, entry in enumerate(account["entries"], 1):
        balance += int(entry["amount"])
        fields = [head, "tallystick entry 1", account["account"], number, entry["at"], entry["transactionid"]]
        fields += [entry["fundingtype"], entry["amount"], balance]
        head = hashlib.sha256("\n".join(map(str, fields)).encode()).hexdigest()
        need(entry["seq"] == number and entry["hash"] == head, f"{kind}: entry {number} was changed")
        need(int(entry["balanceafter"]) == balance >= 0, f"{kind}: entry {number} does not add up")
        need(ms(entry["at"]) >= before, f"{kind}: entry {number} goes back in time")
        before = ms(entry["at"])
        held = balance if before <= moment else held
        if account["known"] and account["known"]["seq"] == number:
            need(account["known"]["hash"] == head, f"{kind}: entry {number} is not the one that was known")
    need(not account["known"] or account["known"]["seq"] <= len(account["entries"]), f"{kind} became shorter")
    return held


def profit_at(file, moment):
    entries = file["accounts"]["invested"]["entries"]
    bought = {entry["transactionid"]: entry for entry in entries if int(entry["amount"]) > 0}
    returned = [entry for entry in entries if int(entry["amount"]) < 0]
    need(sorted(bought) == sorted(each["transactionid"] for each in file["investments"]), "investments are missing")
    total = 0
    for each in sorted(file["investments"], key=lambda each: each["settledat"] or ""):
        amount, profit, term = int(each["amount"]), int(each["profit"]), each["days"] * DAY_MS
        whole, rest = divmod(amount * each["points"], 10_000)
        rounded = whole + (rest > 5_000 or (rest == 5_000 and whole % 2 == 1))
        began, name = ms(each["openedat"]), each["transactionid"]
        need(profit == rounded and ms(each["maturesat"]) == began + term, f"{name}: other terms")
        entry, ended = bought[name], None
        need(int(entry["amount"]) == amount and 0 <= ms(entry["at"]) - began <= 60_000, f"{name}: another entry")
        if each["settledat"]:
            settled = ms(each["settledat"])
            fits = [one for one in returned if int(one["amount"]) == -amount and 0 <= ms(one["at"]) - settled <= 60_000]
            need(fits and settled >= began + term, f"{name}: no entry pays it back")
            returned.remove(fits[0])
            ended = ms(fits[0]["at"])
        if ms(entry["at"]) <= moment and (ended is None or ended > moment):
            total += profit * min(moment - began, term) // term
    need(not returned, "an entry takes out what no investment paid back")
    return total


def packed(amounts):
    need(sum(amounts) <= M, "a sum is beyond all limits")
    return b"".join(amount.to_bytes(8, "big") for amount in amounts)


def sum_of_pieces(file, origin, lines, email):
    """Liabilities v1: every piece leads to root and totals of the statement."""
    seed = sha(f"tallystick/liabilities/v1\n{origin}\n{lines['number']}\n{lines['time']}\n".encode())
    who = unicodedata.normalize("NFC", email.strip().lower()).encode()
    who = who if len(who) <= 255 else b"sha256:" + hashlib.sha256(who).hexdigest().encode()
    need(who, "whose proof is it?")
    depth, owed = int(lines["depth"]), [cents(word) for word in lines["owed"].split(" ")]
    pieces, secret = file["liabilities"]["pieces"], bytes.fromhex(file["liabilities"]["secret"])
    need(pieces and len({piece["index"] for piece in pieces}) == len(pieces), "pieces are missing")
    mine = [0, 0, 0, 0]
    for number, piece in enumerate(pieces):
        need(0 <= piece["index"] < 2**depth and len(piece["path"]) == depth, "a path has another length")
        amounts = [cents(text) for text in piece["amounts"]]
        mine = [one + other for one, other in zip(mine, amounts, strict=True)]
        counts = number.to_bytes(4, "big") + len(pieces).to_bytes(4, "big")
        value = sha(b"\0", seed, secret, counts, packed(amounts), who)
        for height, beside in enumerate(piece["path"], 1):
            other = [cents(text) for text in beside["amounts"]]
            pair = [value + packed(amounts), bytes.fromhex(beside["hash"]) + packed(other)]
            if piece["index"] >> (height - 1) & 1:
                pair.reverse()
            value = sha(b"\1", seed, bytes([height]), *pair)
            amounts = [one + two for one, two in zip(amounts, other, strict=True)]
            packed(amounts)
        need(value.hex() == lines["root"] and amounts == owed, "a piece does not lead to the total")
    return mine


def check_proof(file, email, keys):
    need(file["format"] == "tallystick/proof/v1", "not a proof")
    vkey, *witnesses = keys or [file["vkey"], *file["witnesses"]]
    origin, size, root, cosigned = checkpoint_of(file["checkpoint"], vkey, witnesses)
    need(file["entry"], "there was no statement of the books yet")
    text, place = file["entry"]["text"], file["entry"]["place"]
    lines = dict(line.split(" ", 1) for line in text.split("\n")[1:7])
    moment = ms(lines["time"])
    own = {kind: chain_at(account, kind, moment) for kind, account in file["accounts"].items()}
    mine = [own["wallet"], own["invested"], profit_at(file, moment), own["withdrawing"]]
    print(f"chains       {mine} cents at {lines['time']}")
    if file["liabilities"]:
        found = sum_of_pieces(file, origin, lines, email)
        need(found == mine, f"the total counts {found}")
    else:
        need(not any(mine), "no place in the total is shown")
    print(f"leaf         in the total of {lines['owed']} cents")
    proof = [bytes.fromhex(text) for text in file["entry"]["inclusion"]]
    need(0 <= place < size, "beyond the log")
    need(root_by_inclusion(place, size, sha(b"\0", text.encode()), proof) == root, "the statement is not in the log")
    print(f"log          entry {place} of {size}, signed by {origin}")
    if file["known"]:
        _, old, old_root, _ = checkpoint_of(file["known"]["checkpoint"], vkey)
        proof = [bytes.fromhex(text) for text in file["known"]["consistency"]]
        need(0 < old <= size, "the log became shorter")
        need(roots_by_consistency(old, size, old_root, proof) == (old_root, root), "the log is another")
    print(f"consistency  {'contains the log that was known' if file['known'] else 'nothing was known before'}")
    print(f"witnesses    {', '.join(cosigned) or 'none'}")


def check_paper(data, vkey):
    """The note at the end of the file, and the bytes that it is about."""
    if data.startswith(b"{"):
        signed = data.rindex(b',\n"signature":')
        need(data.endswith(b"}\n"), "no signature at the end")
        note, kind = json.loads(data[signed + 14 : -2]), "json"
    else:
        before, after, kind = (b"% ", b"\n", "pdf") if data.startswith(b"%PDF-") else (b"# ", b"\r\n", "csv")
        signed = data.rindex(after + before + b"tallystick paper/v1" + after) + len(after)
        lines = data[signed:].split(after)
        need(lines.pop() == b"" and all(line.startswith(before) for line in lines), "no signature at the end")
        note = "".join(line[2:].decode() + "\n" for line in lines)
    text, _ = open_note(note, vkey)
    first, *lines = text[:-1].split("\n")
    said = dict(line.split(" ", 1) for line in lines)
    need(first == "tallystick paper/v1" and said["origin"] == vkey.split("+")[0], "not an account statement")
    need(said["kind"] == kind and int(said["bytes"]) == signed, "another file was signed")
    need(hashlib.sha256(data[:signed]).hexdigest() == said["sha256"], "the file was changed")
    print(f"signed by {said['origin']}: {kind}, {said['from']} to {said['to']}, owed {said['owed']} cents")


if __name__ == "__main__":
    path, email, *keys = sys.argv[1:]
    with open(path, "rb") as opened_file:
        data = opened_file.read()
    if email == "-":
        check_paper(data, keys[0])
    else:
        check_proof(json.loads(data), email, keys)
