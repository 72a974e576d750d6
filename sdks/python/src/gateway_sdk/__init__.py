"""Client of the payment gateway: deposits, payouts, balances and signed webhooks, typed.

``Gateway`` and ``AsyncGateway`` speak contract 0.1; ``gateway_sdk.v1_0`` has those of contract 1.0 (beta).
"""

from ._core.options import (
    UNSET as UNSET,
    CreateAndWaitOptions as CreateAndWaitOptions,
    CreateOptions as CreateOptions,
    Options as Options,
    Unset as Unset,
    WaitOptions as WaitOptions,
)
from ._core.raw import RawResponse as RawResponse
from ._core.record import EventRecord as EventRecord, Meta as Meta, RateLimit as RateLimit, Record as Record
from ._core.settings import ReceivedResponse as ReceivedResponse, SentRequest as SentRequest
from ._version import __version__ as __version__
from .errors import (
    ApiError as ApiError,
    ExternalIdReusedError as ExternalIdReusedError,
    GatewayConnectionError as GatewayConnectionError,
    GatewayError as GatewayError,
    GatewayTimeoutError as GatewayTimeoutError,
    SignatureError as SignatureError,
    UnknownOutcome as UnknownOutcome,
)
from .v0_1 import AsyncGateway as AsyncGateway, Gateway as Gateway
