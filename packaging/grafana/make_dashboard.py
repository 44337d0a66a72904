#!/usr/bin/env python3
"""Writes dossier.json, the dashboard for Grafana, beside this file. `--check` only says whether it is up to date."""
import json
import os
import sys

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dossier.json")
SOURCE = {"type": "prometheus", "uid": "${source}"}
QUANTILE = "histogram_quantile({q}, sum by (le{by}) (rate({name}_bucket[$__rate_interval])))"


def quantile(q, name, by=""):
    return QUANTILE.format(q=q, name=name, by=", " + by if by else "")


# Rows with panels: title, unit, and queries with their legends.
ROWS = [
    ("Service", [
        ("Workers alive", "short", [("max(dossier_workers_alive)", "workers")]),
        ("Jobs ended a minute", "short", [
            ("sum by (status) (rate(dossier_jobs_ended_total[$__rate_interval])) * 60", "{{status}}")]),
        ("Failures by code", "short", [
            ("sum by (code) (rate(dossier_jobs_ended_total{status=\"failed\"}[$__rate_interval])) * 60", "{{code}}")]),
        ("Requests a second by status", "reqps", [
            ("sum by (status) (rate(dossier_http_requests_total[$__rate_interval]))", "{{status}}")]),
        ("Answers, p99", "s", [(quantile(0.99, "dossier_http_request_duration_seconds", "route"), "{{route}}")]),
        ("Streams and waiting requests", "short", [("sum by (sort) (dossier_held_requests)", "{{sort}}")]),
    ]),
    ("Jobs", [
        ("Pickup, p50 and p99", "s", [
            (quantile(0.5, "dossier_job_pickup_seconds"), "p50"), (quantile(0.99, "dossier_job_pickup_seconds"), "p99")]),
        ("Duration by kind, p95", "s", [(quantile(0.95, "dossier_job_duration_seconds", "kind"), "{{kind}}")]),
        ("Oldest ready job", "s", [("max by (queue) (dossier_oldest_ready_seconds)", "{{queue}}")]),
        ("Unfinished jobs by place", "short", [("sum by (place) (max by (kind, place) (dossier_jobs_unfinished))", "{{place}}")]),
        ("Jobs that do not move, by reason", "short", [
            ("sum by (reason) (max by (kind, reason) (dossier_jobs_blocked))", "{{reason}}")]),
        ("Retries and postponements a minute", "short", [
            ("sum by (code) (rate(dossier_job_retries_total[$__rate_interval])) * 60", "retry {{code}}"),
            ("sum by (reason) (rate(dossier_jobs_postponed_total[$__rate_interval])) * 60", "{{reason}}")]),
        ("Jobs taken over from dead workers", "short", [
            ("sum by (outcome) (increase(dossier_jobs_rescued_total[$__rate_interval]))", "{{outcome}}")]),
    ]),
    ("Models", [
        ("Stalled calls and fallbacks a minute", "short", [
            ("sum by (provider, model) (max by (provider, model) (rate("
             "dossier_model_calls_total{outcome=\"stalled\"}[$__rate_interval]))) * 60", "stalled {{provider}}/{{model}}"),
            ("sum by (provider, model) (rate(dossier_model_fallbacks_total[$__rate_interval])) * 60",
             "fallback to {{provider}}/{{model}}")]),
        ("Calls a minute by outcome", "short", [
            ("sum by (gen_ai_provider_name, error_type) (rate(gen_ai_client_operation_duration_seconds_count"
             "[$__rate_interval])) * 60", "{{gen_ai_provider_name}} {{error_type}}")]),
        ("Calls, p95", "s", [
            (quantile(0.95, "gen_ai_client_operation_duration_seconds", "gen_ai_request_model"),
             "{{gen_ai_request_model}}")]),
        ("First text, p95", "s", [
            (quantile(0.95, "gen_ai_client_operation_time_to_first_chunk_seconds", "gen_ai_request_model"),
             "{{gen_ai_request_model}}")]),
        ("Tokens a minute", "short", [
            ("sum by (gen_ai_token_type) (rate(gen_ai_client_token_usage_sum[$__rate_interval])) * 60",
             "{{gen_ai_token_type}}")]),
        ("Use of the providers' limits", "percentunit", [
            ("1 - min by (budget, kind) (dossier_provider_level_ratio)", "{{budget}} {{kind}}")]),
        ("Stopped models and refusals of the last hour", "short", [
            ("max by (provider, model) (dossier_breaker_open)", "{{provider}}/{{model}}"),
            ("max by (budget) (dossier_provider_refusals)", "refusals {{budget}}")]),
    ]),
    ("Money", [
        ("Spend of the day", "currencyUSD", [("max(dossier_spend_today_dollars)", "spent")]),
        ("Part of the day's limit", "percentunit", [("max by (of) (dossier_spend_ratio)", "{{of}}")]),
        ("Cost by model, an hour", "currencyUSD", [
            ("sum by (model) (max by (provider, model) (increase(dossier_model_cost_dollars_total[1h])))", "{{model}}")]),
        ("Credits held", "short", [("max(dossier_held_credits)", "held")]),
    ]),
    ("Processes", [
        ("Memory", "bytes", [("process_resident_memory_bytes{job=\"dossier\"}", "{{instance}}")]),
        ("Processor", "short", [
            ("rate(process_cpu_seconds_total{job=\"dossier\"}[$__rate_interval])", "{{instance}}")]),
        ("Open files", "short", [("process_open_fds{job=\"dossier\"}", "{{instance}}")]),
        ("Webhook tries a minute", "short", [
            ("sum by (outcome) (rate(dossier_webhook_tries_total[$__rate_interval])) * 60", "{{outcome}}")]),
    ]),
]
WIDTH, HEIGHT = 8, 7


def panel(number, title, unit, queries, x, y):
    return {
        "id": number, "type": "timeseries", "title": title, "datasource": SOURCE,
        "gridPos": {"x": x, "y": y, "w": WIDTH, "h": HEIGHT},
        "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
        "options": {
            "legend": {"displayMode": "list", "placement": "bottom", "showLegend": True},
            "tooltip": {"mode": "multi", "sort": "desc"}},
        "targets": [
            {"refId": chr(ord("A") + place), "datasource": SOURCE, "expr": query, "legendFormat": legend}
            for place, (query, legend) in enumerate(queries)]}


def dashboard():
    panels, number, y = [], 0, 0
    for title, row in ROWS:
        number += 1
        panels.append({
            "id": number, "type": "row", "title": title, "collapsed": False, "panels": [],
            "gridPos": {"x": 0, "y": y, "w": 24, "h": 1}})
        y += 1
        for place, (name, unit, queries) in enumerate(row):
            number += 1
            panels.append(panel(number, name, unit, queries, place % 3 * WIDTH, y + place // 3 * HEIGHT))
        y += (len(row) + 2) // 3 * HEIGHT
    return {
        "uid": "dossier", "title": "Dossier", "tags": ["dossier"], "editable": True, "graphTooltip": 1,
        "schemaVersion": 37, "refresh": "30s", "time": {"from": "now-3h", "to": "now"}, "timezone": "browser",
        "templating": {"list": [{
            "name": "source", "label": "Source", "type": "datasource", "query": "prometheus", "current": {},
            "hide": 0, "includeAll": False, "multi": False, "refresh": 1, "options": []}]},
        "annotations": {"list": []}, "links": [], "panels": panels}


def main():
    text = json.dumps(dashboard(), indent=2) + "\n"
    if "--check" in sys.argv:
        with open(PATH) as file:
            if file.read() != text:
                sys.exit("packaging/grafana/dossier.json is not what make_dashboard.py writes: run it")
        return
    with open(PATH, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
