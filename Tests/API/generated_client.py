#!/usr/bin/env python3
"""Runs a research job with the client that openapi-python-client has generated, and reads a typed figure of its result.

    generated_client.py URL FOLDER    FOLDER is the parent of the generated package dossier_client
"""
import sys
import time

url, folder = sys.argv[1:]
sys.path.insert(0, folder)

from dossier_client import Client  # noqa: E402
from dossier_client.api.jobs import get_job, get_job_result, submit_job  # noqa: E402
from dossier_client.models import (  # noqa: E402
    ComputedFigure, Figure, PersonaID, ResearchInput, ResearchJobRequest, ResearchResult)

client = Client(base_url=url, timeout=60)
request = ResearchJobRequest(
    kind="research", input_=ResearchInput(ticker="AAPL", persona=PersonaID.BUFFETT))
submitted = submit_job.sync(client=client, body=request).data
for _ in range(300):
    job = get_job.sync(submitted.id, client=client).data
    if job.completed_at is not None:
        break
    time.sleep(0.2)
else:
    sys.exit(f"the job has not ended: {job}")
result = get_job_result.sync(submitted.id, client=client).data
assert isinstance(result, ResearchResult), type(result)
figure = result.facts[0]
assert isinstance(figure, Figure) and isinstance(figure.value, (int, float)), figure
assert isinstance(result.computed[0], ComputedFigure), result.computed[0]
assert isinstance(result.scorecard.score, (int, float)), result.scorecard
print(f"generated client: {figure.label} is {figure.value}, the score {result.scorecard.score}")
