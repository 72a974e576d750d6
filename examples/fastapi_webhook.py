import os

from fastapi import FastAPI, Request, Response

from gateway_sdk.webhooks import AsyncWebhookHandler, VerifiedEvent


async def on(event: VerifiedEvent) -> None:
    print("genuine", event.event)


handler = AsyncWebhookHandler(secret=os.environ["WEBHOOK_SECRET"], on=on)
app = FastAPI()


@app.post("/webhooks")
async def receive(request: Request) -> Response:
    # The bytes as they came: a parameter with a model would have parsed them.
    answer = await handler.handle(await request.body(), request.headers)
    return Response(answer.text, status_code=answer.status)
