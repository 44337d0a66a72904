/// The use of a request as far as it is known while its answer arrives, for the books of a call that ends early.
struct CallProgress: Hashable {
    /// The usage that the provider has told up to now; `nil` before its first word.
    var usage: TokenUsage?
    /// The bytes of text, thinking and tool input that have arrived.
    var outputBytes = 0
    /// Whether `usage` counts the output that has arrived. Claude tells the prompt at once and the output at the end.
    var isOutputTold = false
}
