"""Builds the tree of the given records with pymerkle, and prints its roots and the proofs that it makes, as JSON."""

import json
import sys
from base64 import b64decode, b64encode

from pymerkle import InmemoryTree


def texts(hashes: list[bytes]) -> list[str]:
    return [b64encode(each).decode() for each in hashes]


tree = InmemoryTree(algorithm="sha256")
records = json.load(sys.stdin)
for record in records:
    tree.append_entry(b64decode(record))
sizes = range(1, len(records) + 1)
json.dump(
    {
        "roots": texts([tree.get_root(size) for size in sizes]),
        # The first hash of a path is the leaf itself.
        "paths": [[texts(tree.prove_inclusion(index, size).path[1:]) for index in range(1, size + 1)] for size in sizes],
    },
    sys.stdout,
)
