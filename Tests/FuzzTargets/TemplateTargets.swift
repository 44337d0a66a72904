import Dotprompt
import JSON
import YAML

extension FuzzTarget {
    /// The files of prompt authors.
    static let templates = [
        FuzzTarget("dotprompt", microsecondsPerKiB: 20_000) { bytes in
            var limits = RenderLimits()
            (limits.outputSize, limits.steps) = (64 << 10, 2000)
            let environment = PromptEnvironment(limits: limits)
            guard let prompt = try? Dotprompt.parse(String(decoding: bytes, as: UTF8.self), environment: environment)
            else { return }
            _ = try? prompt.render(input: ["ticker": "AAPL", "list": [1, "two", nil], "text": "{{ticker}}"])
        },
        FuzzTarget("yaml", microsecondsPerKiB: 4000) { bytes in
            _ = try? YAMLDocument(parsing: String(decoding: bytes, as: UTF8.self))
        },
    ]
}
