"""The calls of a run's jobs by another client: `client.py sdk|litellm SETTINGS`, in an environment of its own.

The settings are a JSON file with the requests as Dossier sent them. Each job is one call, streamed, without a queue, a
journal, figures and checks around it. Prints what became of the jobs, as one line of JSON.
"""
import asyncio
import json
import os
import sys
import time

# LiteLLM reads its lists from the package, so that no address but the simulator's is called.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"


def sdk(settings):
    """The Anthropic SDK with its own retries and timeouts."""
    import anthropic

    client = anthropic.AsyncAnthropic(api_key="simulated", base_url=settings["url"])

    async def call(body):
        fields = dict(body)
        named = {name: fields.pop(name) for name in ["model", "max_tokens", "messages"]}
        fields.pop("stream", None)
        usage, ended = {}, False
        async for event in await client.messages.create(**named, stream=True, extra_body=fields):
            if event.type == "message_start":
                usage = event.message.usage.model_dump()
            elif event.type == "message_delta":
                usage["output_tokens"] = event.usage.output_tokens
            elif event.type == "message_stop":
                ended = True
        if not ended:
            raise ConnectionError("the answer is not whole")
        return {
            "input": usage["input_tokens"], "cache_read": usage.get("cache_read_input_tokens") or 0,
            "cache_write_5m": usage.get("cache_creation_input_tokens") or 0, "output": usage["output_tokens"]}

    return call


def litellm(settings):
    """LiteLLM's Router, which is told the limits."""
    import litellm
    from litellm import Router

    litellm.telemetry = False
    told = {name: settings[name] for name in ["rpm", "tpm"] if settings.get(name)}
    more = {"timeout": settings["timeout"]} if settings.get("timeout") else {}
    checks = {"optional_pre_call_checks": ["enforce_model_rate_limits"]} if settings.get("enforces") else {}
    router = Router(
        model_list=[{
            "model_name": "model",
            "litellm_params": {
                "model": "anthropic/" + settings["model"], "api_base": settings["url"], "api_key": "simulated", **told},
        }],
        num_retries=2, **more, **checks)

    async def call(body):
        stream = await router.acompletion(
            model="model", messages=[{"role": "system", "content": body["system"]}, *body["messages"]],
            max_tokens=body["max_tokens"], user=body["metadata"]["user_id"], thinking=body["thinking"],
            output_config=body["output_config"], stream=True, stream_options={"include_usage": True})
        usage = None
        async for chunk in stream:
            usage = getattr(chunk, "usage", None) or usage
        if usage is None:
            raise ConnectionError("the answer is not whole")
        read = getattr(usage, "cache_read_input_tokens", None) or 0
        written = getattr(usage, "cache_creation_input_tokens", None) or 0
        return {
            "input": usage.prompt_tokens - read - written, "cache_read": read, "cache_write_5m": written,
            "output": usage.completion_tokens}

    return call


async def run(call, settings):
    jobs, limit = settings["jobs"], settings["give_up"]
    ended, seconds, asked, causes, began = [], [], [], {}, time.process_time()
    sums = {"input": 0, "cache_read": 0, "cache_write_5m": 0, "output": 0}

    async def job(body, counts=True):
        start = time.time()
        try:
            usage = await asyncio.wait_for(call(body), limit)
            if counts:
                seconds.append(round(time.time() - start, 3))
                ended.append(body["metadata"]["user_id"])
            for name, amount in usage.items():
                sums[name] += amount
        except Exception as error:
            if not causes:
                print(repr(error)[:2000], file=sys.stderr)
            if counts:
                name = type(error).__name__
                causes[name] = causes.get(name, 0) + 1

    async def task(waiting):
        for body in waiting:
            await job(body)

    async def interactive():
        """A call of another user now and then, which no queue holds back. The run waits for the last one."""
        while not await ended_within(settings["interactive_pause"]):
            asked.append(round(time.time() * 1000))
            await job(settings["interactive"], counts=False)

    done = asyncio.Event()

    async def ended_within(seconds):
        try:
            return await asyncio.wait_for(done.wait(), seconds)
        except asyncio.TimeoutError:
            return False

    now_and_then = asyncio.create_task(interactive()) if settings.get("interactive") else None
    if settings.get("tasks"):
        # All take their jobs from one list.
        waiting = iter(jobs)
        await asyncio.gather(*[task(waiting) for _ in range(settings["tasks"])])
    else:
        started = []
        for body in jobs:
            started.append(asyncio.create_task(job(body)))
            await asyncio.sleep(1 / settings["per_second"])
        await asyncio.gather(*started)
    done.set()
    if now_and_then:
        await now_and_then
    print(json.dumps({
        "order": ended, "seconds": seconds, "asked": asked, "lost": sum(causes.values()), "causes": causes,
        "tokens": sums, "processor": time.process_time() - began}))


def main():
    with open(sys.argv[2]) as file:
        settings = json.load(file)
    asyncio.run(run({"sdk": sdk, "litellm": litellm}[sys.argv[1]](settings), settings))


main()
