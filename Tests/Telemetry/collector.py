"""Receives OTLP over HTTP and reads each request by the messages of PyPI's opentelemetry-proto, strictly: an unknown
field or a value of a wrong type is refused with 400. Prints its address, then a line of JSON for each request."""
import base64
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

MESSAGES = {
    "/v1/traces": ExportTraceServiceRequest,
    "/v1/metrics": ExportMetricsServiceRequest,
    "/v1/logs": ExportLogsServiceRequest,
}


def with_base64_ids(value):
    """OTLP writes ids in hexadecimal, where protobuf's JSON has base64."""
    if isinstance(value, list):
        return [with_base64_ids(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: base64.b64encode(bytes.fromhex(item)).decode() if key in ("traceId", "spanId", "parentSpanId")
        else with_base64_ids(item)
        for key, item in value.items()
    }


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            message = json_format.ParseDict(with_base64_ids(json.loads(body)), MESSAGES[self.path]())
            line, status = {"path": self.path, "key": self.headers["x-key"]}, 200
            if self.path == "/v1/traces":
                groups = message.resource_spans
                spans = [span for group in groups for scope in group.scope_spans for span in scope.spans]
                for span in spans:
                    assert len(span.trace_id) == 16 and len(span.span_id) == 8, span
                    assert len(span.parent_span_id) in (0, 8) and span.end_time_unix_nano >= span.start_time_unix_nano
                line["names"] = [span.name for span in spans]
                line["traces"] = sorted({span.trace_id.hex() for span in spans})
            elif self.path == "/v1/metrics":
                groups = message.resource_metrics
                metrics = [metric for group in groups for scope in group.scope_metrics for metric in scope.metrics]
                for metric in metrics:
                    kind = metric.WhichOneof("data")
                    assert kind in ("gauge", "sum", "histogram") and metric.description, metric
                    for point in getattr(metric, kind).data_points:
                        assert point.time_unix_nano >= point.start_time_unix_nano > 0
                        if kind == "histogram":
                            assert len(point.bucket_counts) == len(point.explicit_bounds) + 1, metric
                            assert sum(point.bucket_counts) == point.count
                            assert list(point.explicit_bounds) == sorted(set(point.explicit_bounds))
                line["names"] = [metric.name for metric in metrics]
            else:
                groups = message.resource_logs
                records = [record for group in groups for scope in group.scope_logs for record in scope.log_records]
                assert all(record.severity_number and record.time_unix_nano for record in records)
                line["names"] = [record.body.string_value for record in records]
                line["traces"] = sorted({record.trace_id.hex() for record in records if record.trace_id})
            resource = {item.key: item.value.string_value for item in groups[0].resource.attributes}
            line["service"] = resource["service.name"]
            assert resource["service.version"] and resource["service.instance.id"]
        except Exception as error:
            line, status = {"path": self.path, "problem": f"{type(error).__name__}: {error}"}, 400
        print(json.dumps(line), flush=True)
        self.send_response(status)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
