import hashlib
import hmac
import time


def is_from_gateway(headers, body, secret, now=None):
    """True when a request was sent by the gateway: headers in lower case, body the raw bytes as they came."""
    timestamp = headers.get("x-gateway-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit()):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > 300:
        return False
    text = timestamp.encode() + b"." + body
    expected = "sha256=" + hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()
    # While a rotation lasts, the new secret verifies the second header.
    given = (headers.get(name, "") for name in ("x-gateway-signature", "x-gateway-signature-next"))
    return any(hmac.compare_digest(value.encode(), expected.encode()) for value in given)
