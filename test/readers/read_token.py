"""Verifies a token of RFC 3161 with rfc3161-client: of which text it is, by which root, and when it was made."""

import sys
from pathlib import Path

from cryptography.x509 import load_pem_x509_certificate
from rfc3161_client import VerificationError, VerifierBuilder, decode_timestamp_response

root, token, text = (Path(name).read_bytes() for name in sys.argv[1:])
answer = decode_timestamp_response(token)
verifier = VerifierBuilder().add_root_certificate(load_pem_x509_certificate(root)).build()
try:
    verifier.verify_message(answer, text)
except VerificationError as error:
    print(f"false: {error}")
else:
    print(f"true: {answer.tst_info.gen_time.isoformat()}")
