import Observability
import Testing

@Suite struct MetricFamilyTests {
    @Test func aFamilyShowsItsSamplesInOrderAndNothingBeforeTheFirst() {
        let counter = CounterFamily("ended_total", "Ended.", labels: ["kind", "code"])
        var text = PrometheusText()
        counter.write(to: &text)
        #expect(text.text.isEmpty)
        CounterFamily("deaths_total", "Deaths.", labels: ["of"], zeros: [["worker"]]).write(to: &text)
        #expect(text.text.hasSuffix(#"deaths_total{of="worker"} 0.0"# + "\n"))
        text = PrometheusText()
        counter.add(1, "b", "")
        counter.add(2, "a", "X")
        counter.add(1, "b", "")
        counter.write(to: &text)
        #expect(
            text.text == """
                # HELP ended_total Ended.
                # TYPE ended_total counter
                ended_total{kind="a",code="X"} 2.0
                ended_total{kind="b",code=""} 2.0

                """)
    }

    @Test func aHistogramHasItsBucketsByLabels() {
        let histogram = HistogramFamily("wait_seconds", "Waits.", bounds: [0.5, 2], labels: ["kind"])
        for duration: Duration in [.milliseconds(500), .seconds(1), .seconds(5)] { histogram.record(duration, "a") }
        var text = PrometheusText()
        histogram.write(to: &text)
        #expect(
            text.text == """
                # HELP wait_seconds Waits.
                # TYPE wait_seconds histogram
                wait_seconds_bucket{kind="a",le="0.5"} 1
                wait_seconds_bucket{kind="a",le="2.0"} 2
                wait_seconds_bucket{kind="a",le="+Inf"} 3
                wait_seconds_sum{kind="a"} 6.5
                wait_seconds_count{kind="a"} 3

                """)
    }

    @Test func labelsWithoutEndAreCountedTogether() {
        let counter = CounterFamily("calls_total", "Calls.", labels: ["model"])
        for number in 0..<10_000 { counter.add(1, "model-\(number)") }
        var text = PrometheusText()
        counter.write(to: &text)
        let lines = text.text.split(separator: "\n")
        #expect(lines.count <= 503)
        #expect(lines.contains(#"calls_total{model="other"} 9500.0"#))
    }

    @Test func theProcessHasItsFigures() throws {
        var text = PrometheusText()
        try #require(ProcessFigures()).write(to: &text)
        func value(_ name: String) -> Double? {
            text.text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
                .flatMap { Double($0.dropFirst(name.count + 1)) }
        }
        #expect(try #require(value("process_resident_memory_bytes")) > 1_000_000)
        #expect(try #require(value("process_open_fds")) >= 3)
        #expect(try #require(value("process_max_fds")) >= value("process_open_fds")!)
        #expect(try #require(value("process_cpu_seconds_total")) >= 0)
        let started = try #require(value("process_start_time_seconds"))
        #expect(started > 1_600_000_000 && started < 5_000_000_000)
    }
}
