import JSON
import Prompts
import Synchronization
import Testing

@testable import Agents

/// The members that agents give to prompts, by their paths: `title`, `turns[].question`.
enum GivenMembers {
    /// What the runs of a test gave, by the name of the prompt.
    final class Record: Sendable {
        private let members = Mutex<[String: Set<String>]>([:])

        func add(_ paths: Set<String>, to prompt: String) {
            members.withLock { $0[prompt, default: []].formUnion(paths) }
        }

        func given(to prompt: String) -> Set<String> { members.withLock { $0[prompt] ?? [] } }
    }

    @TaskLocal static var record: Record?

    /// Records what a run gives, and expects that the repository's own prompts declare all of it: a member that no
    /// prompt declares is left out of the request, and nobody would hear of it.
    static func look(at bundle: Prompts.Bundle) -> @Sendable (PromptUse) -> Void {
        let record = record
        return { use in
            let given = paths(of: use.given)
            record?.add(given, to: use.prompt)
            guard bundle.hash == (try? ContentFiles.bundle.get().hash), let prompt = bundle.prompts[use.prompt] else {
                return
            }
            let unknown = given.subtracting(paths(of: prompt.taken(from: use.given))).sorted()
            #expect(unknown.isEmpty, "\(use.prompt).prompt does not declare \(unknown)")
        }
    }

    /// The members of a value that are there.
    static func paths(of value: JSON, below path: String = "") -> Set<String> {
        switch value {
        case .null: []
        case .object(let members):
            members.reduce(into: []) {
                $0.formUnion(paths(of: $1.value, below: path.isEmpty ? $1.key : "\(path).\($1.key)"))
            }
        case .array(let elements):
            elements.reduce(into: []) { $0.formUnion(paths(of: $1, below: path + "[]")) }
        default: [path]
        }
    }

    /// The members that a schema declares, without those of values of any form.
    static func paths(declaredBy schema: JSON, below path: String = "") -> Set<String> {
        if let members = schema["properties"]?.object {
            members.reduce(into: []) {
                $0.formUnion(paths(declaredBy: $1.value, below: path.isEmpty ? $1.key : "\(path).\($1.key)"))
            }
        } else if let items = schema["items"] {
            paths(declaredBy: items, below: path + "[]")
        } else if schema["type"] == nil, schema["enum"] == nil {
            []
        } else {
            [path]
        }
    }
}
