"""Every error of this package: those of answers by their codes, and those of the connection."""

from ._errors import (
    ApiError as ApiError,
    ErrorDetail as ErrorDetail,
    ExternalIdReusedError as ExternalIdReusedError,
    GatewayConnectionError as GatewayConnectionError,
    GatewayError as GatewayError,
    GatewayTimeoutError as GatewayTimeoutError,
    SignatureError as SignatureError,
    SignatureFault as SignatureFault,
    UnknownOutcome as UnknownOutcome,
)
from ._generated.errors import *  # noqa: F403
