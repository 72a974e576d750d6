"""Verifies receipts of ledger entries, offline. Needs the package `cryptography` and nothing else.

python3 verify_receipt.py --key vkey.txt [--records entries.json] [--account acc_…] [--complete] [--tsa-ca ca.pem] FILE…

FILE: receipts, checkpoints, proofs of consistency, and tokens of a time stamping authority (.tsr; needs openssl).
Exit code 0: all is proven; 1: something is false; 2: wrong usage, unreadable file; 3: something stays unproven.
Second signatures, with ML-DSA-44, are passed over: verify-receipt.ts verifies them, with --second-key.
"""

import argparse
import base64
import binascii
import hashlib
import itertools
import json
import re
import subprocess
import sys
from collections import namedtuple
from datetime import datetime, timedelta

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Key = namedtuple("Key", "kind name id key")
Checkpoint = namedtuple("Checkpoint", "origin size root digest witnessed")
Entry = namedtuple("Entry", "id account_id currency number type amount ref_type ref_id balance_after")
Proof = namedtuple("Proof", "older newer path")


class Falsehood(Exception):
    pass


def must(holds, otherwise):
    if not holds:
        raise Falsehood(otherwise)


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def node_of(left, right):
    return sha256(b"\x01", left, right)


def bytes_of(text, length=32):
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Falsehood(f'"{text}" is not base64') from None
    canonical = base64.b64encode(found).decode() == text and length in (None, len(found))
    must(canonical, f'"{text}" is not base64')
    return found


def number_of(text):
    must(re.fullmatch("0|[1-9][0-9]{0,14}", text), f'"{text}" is not a number')
    return int(text)


def keys_of(text):
    """The pinned keys, one a line: <name>+<id in hex>+<base64 of 0x01, or 0x04 for a witness, and an Ed25519 key>."""
    keys = []
    for line in text.strip().split("\n"):
        name, key_id, encoded = (line.strip().split("+", 2) + ["", ""])[:3]
        typed = bytes_of(encoded, None)
        if sha256(name.encode() + b"\n", typed)[:4].hex() != key_id:
            raise ValueError(f'"{line}" is not a key')
        if typed[0] in (1, 4) and len(typed) == 33:
            keys.append(Key(typed[0], name, key_id, Ed25519PublicKey.from_public_bytes(typed[1:])))
    if not any(key.kind == 1 for key in keys):
        raise ValueError("there is no Ed25519 key")
    return keys


def is_signed(key, signature, message):
    try:
        key.verify(signature, message.encode())
    except InvalidSignature:
        return False
    return True


def witness_of(text, key, signature):
    """(4) When a pinned witness has signed the text of a checkpoint (C2SP cosignature/v1)."""
    second = int.from_bytes(signature[:8], "big") if len(signature) == 72 else 2**64
    is_right = second < 2**37 and is_signed(key.key, signature[8:], f"cosignature/v1\ntime {second}\n{text}")
    must(is_right, f"the signature of the witness {key.name} is false")
    return f"{key.name} at {(datetime(1970, 1, 1) + timedelta(seconds=second)).isoformat()}Z"


def open_checkpoint(note, keys):
    """(1) The checkpoint is signed with a pinned key of its origin. Signatures of others are not looked at."""
    end = note.rfind("\n\n") + 1
    text, signatures = note[:end], note[end + 1 :].split("\n")
    must(end > 0 and len(signatures) > 1 and signatures.pop() == "", "the checkpoint is not a signed note")
    origin, size, root = (text.split("\n") + ["", ""])[:3]
    verified, witnessed = 0, []
    for line in signatures:
        found = re.fullmatch("— ([^ ]+) ([^ ]+)", line)
        signature = bytes_of(found.group(2) if found else "", None)
        must(len(signature) > 4, "the checkpoint has a line that is not a signature")
        for key in keys:
            if (key.name, key.id) != (found.group(1), signature[:4].hex()):
                continue
            if key.kind == 4:
                witnessed.append(witness_of(text, key, signature[4:]))
            elif key.name == origin:
                must(is_signed(key.key, signature[4:], text), "the checkpoint is not signed with a pinned key")
                verified += 1
    must(verified > 0, "the checkpoint is not signed with a pinned key")
    digest = hashlib.sha256(note.encode()).hexdigest()
    return Checkpoint(origin, number_of(size), bytes_of(root), digest, witnessed)


def root_of(leaf, index, size, path):
    """RFC 9162, 2.1.3.2: the root that a leaf and its path lead to."""
    at, last, found = index, size - 1, leaf
    for sibling in path:
        must(last > 0, "the path is too long")
        is_right = at % 2 == 1 or at == last
        found = node_of(sibling, found) if is_right else node_of(found, sibling)
        while is_right and at % 2 == 0 and at > 0:
            at, last = at >> 1, last >> 1
        at, last = at >> 1, last >> 1
    must(index < size and last == 0, "the path is too short")
    return found


def is_consistent(older, newer, path):
    """RFC 9162, 2.1.4.2: the newer tree begins with the whole of the older one."""
    if older.size == 0:
        return False
    at, last = older.size - 1, newer.size - 1
    while at % 2 == 1:
        at, last = at >> 1, last >> 1
    path = [older.root, *path] if at == 0 else path
    if not path:
        return False
    before = after = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        is_right = at % 2 == 1 or at == last
        before = node_of(sibling, before) if is_right else before
        after = node_of(sibling, after) if is_right else node_of(after, sibling)
        while is_right and at % 2 == 0 and at > 0:
            at, last = at >> 1, last >> 1
        at, last = at >> 1, last >> 1
    return last == 0 and before == older.root and after == newer.root


def open_receipt(text, keys):
    """(2) The link of the receipt is in the tree of its checkpoint."""
    head, _, note = text.partition("\n\n")
    _, extra, index, *path = head.split("\n") + ["", ""] if head.count("\n") < 2 else head.split("\n")
    must(extra.startswith("extra ") and index.startswith("index "), "the receipt is not complete")
    checkpoint = open_checkpoint(note, keys)
    content, at = bytes_of(extra[6:], None), number_of(index[6:])
    root = root_of(sha256(b"\x00", sha256(content)), at, checkpoint.size, [bytes_of(line) for line in path])
    must(root == checkpoint.root, "the link is not in the tree of the checkpoint")
    link = json.loads(content)
    place = f"/{link[1]}.{link[2]}"
    must(link[3] == at + 1 and checkpoint.origin.endswith(place), "the link is of another place")
    return checkpoint, link, [Entry(*entry) for entry in link[-1]]


def compare(entry, record):
    """(3) The ledger's entry is the one that the merchant has on record, in either contract."""
    for name, value in entry._asdict().items():
        if name in ("account_id", "number") and name not in record:
            continue
        if name in ("amount", "balance_after") and "amount_cents" in record:
            name += "_cents"
        known = json.dumps(record.get(name))
        must(record.get(name) == value, f"{entry.id} has {name} {value}, on record it is {known}")


def time_of(token, checkpoint, authority):
    """(4) The time at which an authority has seen a checkpoint, or None if the token is not one for it."""
    verify = ["openssl", "ts", "-verify", "-digest", checkpoint.digest, "-CAfile", authority, "-in", token]
    if subprocess.run(verify, capture_output=True, check=False).returncode != 0:
        return None
    shown = subprocess.run(["openssl", "ts", "-reply", "-text", "-in", token], capture_output=True, check=True)
    return re.search("Time stamp: (.*)", shown.stdout.decode()).group(1)


def gaps_of(proven):
    """(5) The entries of each balance: no number twice, each balance from the one before; the numbers not shown."""
    gaps = []
    order = sorted(proven.values(), key=lambda item: (item[0], item[1].account_id, item[1].currency, item[1].number))
    for names, items in itertools.groupby(order, lambda item: (item[0], item[1].account_id, item[1].currency)):
        balance, number, after = " ".join(names), 0, 0
        for _, entry in items:
            must(entry.number > number, f"{balance}: number {number} is there twice")
            if entry.number > number + 1:
                gaps.append(f"{balance}: nothing shows numbers {number + 1} to {entry.number - 1}")
            else:
                follows = after + entry.amount == entry.balance_after
                must(follows, f"{balance}: the balance after number {entry.number} does not follow")
            number, after = entry.number, entry.balance_after
    return gaps


def unlinked(checkpoints, proofs):
    """(5) Checkpoints of one ledger: one root for a size, each begins with the one before; what nothing shows."""
    gaps = []
    order = sorted(checkpoints, key=lambda one: (one.origin, one.size))
    for older, newer in zip(order, order[1:]):
        if older.origin != newer.origin:
            continue
        origin, sizes = newer.origin, (older.size, newer.size)
        same = older.root == newer.root
        must(older.size < newer.size or same, f"{origin}: two histories of {newer.size} links are signed; keep both files")
        found = [one for one in proofs if (one.older, one.newer.size, one.newer.origin) == (*sizes, origin)]
        for proof in found:
            shown = sizes[0] == sizes[1] or is_consistent(older, newer, proof.path)
            must(shown, f"{origin}: {sizes[1]} links are not shown to begin with the {sizes[0]}")
        if not found and older.size < newer.size:
            gaps.append(f"{origin}: nothing shows that the {sizes[1]} links begin with the {sizes[0]}")
    known = {(one.origin, one.size) for one in checkpoints}
    unused = [one for one in proofs if (one.newer.origin, one.older) not in known]
    return gaps + [f"{one.newer.origin}: no checkpoint of {one.older} links is given" for one in unused]


def read_file(file, keys, checkpoints, proofs, proven, is_right):
    """Verifies one file and prints what it shows."""
    with open(file, "rb") as opened:
        try:
            text = opened.read().decode()
        except UnicodeDecodeError:
            raise Falsehood("it is not text") from None
    if text.startswith("c2sp.org/tlog-proof@v1\n"):
        checkpoint, link, entries = open_receipt(text, keys)
        checkpoints.append(checkpoint)
        must([entry for entry in entries if is_right(entry)], "none of its entries is on record")
        for entry in entries:
            must(proven.setdefault(entry.id, (link[1], entry)) == (link[1], entry), f"{entry.id} is there in two forms")
            what = f"{entry.type} {entry.amount} {entry.currency} for {entry.ref_id}, balance {entry.balance_after}"
            print(f"{entry.id}: number {entry.number} of {entry.account_id}, {what}")
        time = datetime(1970, 1, 1) + timedelta(milliseconds=link[4])
        at = time.isoformat(timespec="milliseconds") + "Z"
        print(f"  decided {at}, link {link[3]} of the {checkpoint.size} of {checkpoint.origin}")
        for witness in checkpoint.witnessed:
            print(f"  signed by the witness {witness}")
        return
    end = text.find("\n\n") if text.startswith("old ") else -2
    newer = open_checkpoint(text[max(end, -2) + 2 :], keys)
    checkpoints.append(newer)
    print(f"{file}: checkpoint of {newer.size} links of {newer.origin}")
    for witness in newer.witnessed:
        print(f"  signed by the witness {witness}")
    if end > 0:
        older, *path = text[4:end].split("\n")
        proofs.append(Proof(number_of(older), newer, [bytes_of(line) for line in path]))


def verify(options, keys, records):
    """What stays unproven, after everything that was given was found to be right."""

    def is_right(entry):
        must(options.account in (None, entry.account_id), f"{entry.id} is of account {entry.account_id}")
        if records is None or entry.id not in records:
            return records is None
        compare(entry, records[entry.id])
        return True

    checkpoints, proofs, proven = [], [], {}
    for file in sorted(options.files, key=lambda name: name.endswith(".tsr")):
        options.file = file
        if not file.endswith(".tsr"):
            read_file(file, keys, checkpoints, proofs, proven, is_right)
            continue
        if options.tsa_ca is None:
            raise ValueError("give --tsa-ca for a token")
        stamped = [one for one in checkpoints if time_of(file, one, options.tsa_ca)]
        must(stamped, "it is not a token of this authority for any of the checkpoints")
        time = time_of(file, stamped[0], options.tsa_ca)
        print(f"{file}: {stamped[0].size} links of {stamped[0].origin} were there at {time}")
    options.file = "all files"
    missing = sorted(one for one in records or {} if one not in proven)
    gaps = [f"{one}: it is on record, and no receipt is given" for one in missing] + gaps_of(proven)
    return unlinked(checkpoints, proofs) + (gaps if options.complete else [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--key", required=True)
    for name in ("--records", "--account", "--tsa-ca"):
        parser.add_argument(name)
    parser.add_argument("--complete", action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    options.file = ""
    with open(options.key, encoding="utf8") as opened:
        keys = keys_of(opened.read())
    records = None
    if options.records:
        with open(options.records, encoding="utf8") as opened:
            given = json.load(opened)
        given = given.get("data", given) if isinstance(given, dict) else given
        records = {record["id"]: record for record in (given if isinstance(given, list) else [given])}
    try:
        gaps = verify(options, keys, records)
    except Falsehood as falsehood:
        print(f"FALSE {options.file}: {falsehood}")
        return 1
    for gap in gaps:
        print(f"UNPROVEN {gap}")
    return 3 if gaps else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, ValueError, KeyError, Falsehood) as problem:
        print(problem, file=sys.stderr)
        sys.exit(2)
