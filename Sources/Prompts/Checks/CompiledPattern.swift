internal import CPCRE2

/// A regular expression, compiled once, that any number of threads match at the same time.
///
/// It reads Unicode scalars: `\w`, `\d`, `\s` and `\b` know every script, `\u2014` and `\u{2014}` are scalars, and `$` is
/// the end of the text. A match that takes too many steps is given up, so no pattern and no text can hold a thread.
///
/// `@unchecked` since the compiled code is only read once `init` has ended, which PCRE2 allows any thread to do.
package final class CompiledPattern: @unchecked Sendable, Hashable {
    package let text: String
    private let code: OpaquePointer

    /// How a search ended.
    enum Search: Equatable {
        case found(Substring)
        case none
        case givenUp
    }

    /// Compiles a pattern; `nil` for a text that is none.
    package init?(_ text: String) {
        guard let compiled = Self.compiled(text) else { return nil }
        self.text = text
        code = compiled
        // Where memory may not be made executable there is no compiled code, and matches are interpreted.
        _ = pcre2_jit_compile_8(compiled, UInt32(PCRE2_JIT_COMPLETE))
    }

    deinit { pcre2_code_free_8(code) }

    private static func compiled(_ text: String) -> OpaquePointer? {
        guard let context = pcre2_compile_context_create_8(nil) else { return nil }
        defer { pcre2_compile_context_free_8(context) }
        pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANY))
        pcre2_set_compile_extra_options_8(context, PCRE2_EXTRA_ALT_BSUX)
        let options = PCRE2_UTF | PCRE2_UCP | PCRE2_NO_UTF_CHECK | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C
        var (error, place): (Int32, Int) = (0, 0)
        var text = text
        return text.withUTF8 { pcre2_compile_8($0.baseAddress, $0.count, options, &error, &place, context) }
    }

    func search(_ text: String) -> Search {
        guard let match = pcre2_match_data_create_8(1, nil) else { return .givenUp }
        defer { pcre2_match_data_free_8(match) }
        var text = text
        let result = text.withUTF8 { bytes in
            attempt { options, limits in
                pcre2_match_8(code, bytes.baseAddress, bytes.count, 0, options, match, limits)
            }
        }
        guard result >= 0, let offsets = pcre2_get_ovector_pointer_8(match) else {
            return result == PCRE2_ERROR_NOMATCH ? .none : .givenUp
        }
        let start = text.utf8.index(text.startIndex, offsetBy: offsets[0])
        let end = text.utf8.index(text.startIndex, offsetBy: max(offsets[0], offsets[1]))
        return .found(text[start..<end])
    }

    /// A text with a word in the place of each match; `nil` when the search was given up.
    package func replacingMatches(in text: String, with word: String) -> String? {
        var (text, word) = (text, word)
        return text.withUTF8 { bytes in
            word.withUTF8 { word in
                var room = bytes.count + 256
                while true {
                    var (length, result) = (room, Int32(0))
                    let replaced = String(unsafeUninitializedCapacity: room) { output in
                        result = attempt { options, limits in
                            length = room
                            return pcre2_substitute_8(
                                code, bytes.baseAddress, bytes.count, 0, options | Self.replacement, nil, limits,
                                word.baseAddress, word.count, output.baseAddress, &length)
                        }
                        return result >= 0 ? length : 0
                    }
                    if result >= 0 { return replaced }
                    guard result == PCRE2_ERROR_NOMEMORY, length > room else { return nil }
                    room = length
                }
            }
        }
    }

    private static let replacement =
        PCRE2_SUBSTITUTE_GLOBAL | PCRE2_SUBSTITUTE_LITERAL | UInt32(PCRE2_SUBSTITUTE_OVERFLOW_LENGTH)

    /// The most that a match may take. It is only read once it is made, which PCRE2 allows any thread to do.
    nonisolated(unsafe) private static let limits: OpaquePointer? = {
        guard let limits = pcre2_match_context_create_8(nil) else { return nil }
        pcre2_set_match_limit_8(limits, 1_000_000)
        pcre2_set_heap_limit_8(limits, 64 * 1024)
        return limits
    }()

    /// Makes a call within limits, and once more without compiled code when this needs a deeper stack than it has.
    private func attempt(_ call: (_ options: UInt32, _ limits: OpaquePointer) -> Int32) -> Int32 {
        guard let limits = Self.limits else { return PCRE2_ERROR_NOMEMORY }
        let result = call(PCRE2_NO_UTF_CHECK, limits)
        return result == PCRE2_ERROR_JIT_STACKLIMIT ? call(PCRE2_NO_UTF_CHECK | UInt32(PCRE2_NO_JIT), limits) : result
    }

    package static func == (left: CompiledPattern, right: CompiledPattern) -> Bool { left.text == right.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
