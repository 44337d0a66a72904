import Observability
import Testing

@Suite struct PrometheusTextTests {
    @Test func samplesFollowTheirFamily() {
        var text = PrometheusText()
        text.family("requests_total", .counter, "Requests\nso far, \"all\".")
        text.sample("requests_total", 3, [("route", "/a\"b\\c\nd"), ("status", "200")])
        text.sample("up", 1)
        text.sample("seconds", 0.25)
        #expect(
            text.text == """
                # HELP requests_total Requests\\nso far, "all".
                # TYPE requests_total counter
                requests_total{route="/a\\"b\\\\c\\nd",status="200"} 3
                up 1
                seconds 0.25

                """)
    }

    @Test func aHistogramCountsUpwards() {
        let histogram = Histogram(bounds: [.milliseconds(10), .seconds(1)])
        for duration: Duration in [.milliseconds(1), .milliseconds(10), .milliseconds(11), .seconds(2)] {
            histogram.record(duration)
        }
        var text = PrometheusText()
        text.sample("d", histogram, [("a", "b")])
        #expect(
            text.text == """
                d_bucket{a="b",le="0.01"} 2
                d_bucket{a="b",le="1.0"} 3
                d_bucket{a="b",le="+Inf"} 4
                d_sum{a="b"} 2.022
                d_count{a="b"} 4

                """)
    }

    @Test func countersAcceptAdditionsFromAllThreads() async {
        let counter = Counter()
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { for _ in 0..<100 { counter.add() } } }
        }
        #expect(counter.total == 10_000)
    }
}
