package import JSON

extension ModelCall {
    /// What operators ask about a call beside its use and cost.
    package struct Details: Sendable, Hashable {
        /// The name of the prompt; `nil` for calls without one.
        package var prompt: String?
        /// The cost at the list price: nothing read from a cache or written to one, and not by batch. `nil` when it is
        /// not known; then the cost itself counts.
        package var listMicroDollars: Int64?
        /// What the tokens written to a cache cost beyond the price of input, in a call that is not by batch.
        package var writeMicroDollars: Int64 = 0
        /// A simulator answered.
        package var isSimulated = false
        /// A person waited for the answer.
        package var isInteractive = false
        /// The wait for the provider's budget; `nil` without a budget.
        package var waited: Duration?
        package var firstByte: Duration?
        package var firstContent: Duration?
        /// The longest pause between two contents.
        package var longestGap: Duration?
        /// The kind of its error, in words of Dossier, and the error itself; `nil` for an answer.
        package var errorCode: String?
        package var errorMessage: String?
        /// The provider's name for the request.
        package var providerRequestID: String?
        /// The prefixes that the call marked, the shortest first; `nil` for none.
        package var marks: [CallMark]?

        package init(prompt: String? = nil) { self.prompt = prompt }

        /// The members by the names of the columns.
        package var json: JSON {
            [
                "prompt": JSON(prompt), "list_micro_dollars": JSON(listMicroDollars),
                "write_micro_dollars": JSON(writeMicroDollars), "interactive": JSON(isInteractive),
                "waited_ms": JSON(waited?.wholeMilliseconds), "first_byte_ms": JSON(firstByte?.wholeMilliseconds),
                "first_content_ms": JSON(firstContent?.wholeMilliseconds),
                "longest_gap_ms": JSON(longestGap?.wholeMilliseconds), "cache_marks": JSON(marks?.text),
                "simulated": JSON(isSimulated), "error_code": JSON(errorCode), "error_message": JSON(errorMessage),
                "provider_request_id": JSON(providerRequestID),
            ]
        }
    }
}

/// A prefix of a prompt that a call marked for its provider's cache.
package struct CallMark: Hashable, Sendable {
    /// The beginning of the hash of what the provider compares.
    package var hash: String
    /// The tokens up to the mark, estimated.
    package var tokens: Int64
    /// Whether the provider had it; otherwise the call wrote it.
    package var wasRead: Bool

    package init(hash: String, tokens: Int64, wasRead: Bool) {
        self.hash = String(hash.prefix(16))
        self.tokens = tokens
        self.wasRead = wasRead
    }
}

extension [CallMark] {
    /// `+1f2e3d4c5b6a7988:8012 90817263544f5e6d:11200`: a `+` before what was read.
    package var text: String {
        map { "\($0.wasRead ? "+" : "")\($0.hash):\($0.tokens)" }.joined(separator: " ")
    }

    /// Reads `text`; marks that cannot be read are left out.
    package init(text: String) {
        self = text.split(separator: " ").compactMap { item in
            let wasRead = item.hasPrefix("+")
            let parts = item.dropFirst(wasRead ? 1 : 0).split(separator: ":")
            guard parts.count == 2, let tokens = Int64(parts[1]) else { return nil }
            return CallMark(hash: String(parts[0]), tokens: tokens, wasRead: wasRead)
        }
    }
}
