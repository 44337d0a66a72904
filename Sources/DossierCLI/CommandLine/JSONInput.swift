import Foundation
import JSON

extension Invocation {
    /// More than any request may have; a file beyond it is not what was meant.
    private static let inputLimit = 16 << 20

    /// The JSON object of `--input`: written out, in a file (`@FILE`) or on standard input (`-`); `{}` without the flag.
    func inputObject() throws(CommandFailure) -> JSON {
        let text = try inputText() ?? "{}"
        let input: JSON
        do {
            input = try JSON(parsing: text)
        } catch {
            throw .usage("--input is not JSON: \(error)")
        }
        guard input.object != nil else { throw .usage("--input must be a JSON object") }
        return input
    }

    private func inputText() throws(CommandFailure) -> String? {
        guard let value = options["--input"] else { return nil }
        if value == "-" { return try text(of: .standardInput, named: "standard input") }
        guard value.hasPrefix("@") else { return value }
        let path = String(value.dropFirst())
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw .usage("--input: the file '\(path)' cannot be read")
        }
        defer { try? file.close() }
        return try text(of: file, named: "the file '\(path)'")
    }

    private func text(of file: FileHandle, named name: String) throws(CommandFailure) -> String {
        var data = Data()
        do {
            while data.count <= Self.inputLimit, let part = try file.read(upToCount: 1 << 20), !part.isEmpty {
                data += part
            }
        } catch {
            throw .usage("--input: \(name) cannot be read")
        }
        guard data.count <= Self.inputLimit else {
            throw .usage("--input: \(name) has more than \(Self.inputLimit >> 20) MiB")
        }
        guard let text = String(validating: data, as: UTF8.self) else { throw .usage("--input: \(name) is not UTF-8") }
        return text
    }
}
