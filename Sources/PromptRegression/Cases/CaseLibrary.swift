internal import JSON
package import Prompts

/// A fault in the cases that has to be corrected before they can run.
package struct CaseProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// From the home folder.
    package var file: String
    /// From 1; `nil` when it is about the file as a whole.
    package var line: Int?
    package var message: String
    /// The way to fix it.
    package var fix: String

    /// `prompts/cases/research/apple/case.yaml:3: 'expext' is not known (…)`
    package var description: String { "\(line.map { "\(file):\($0)" } ?? file): \(message) (\(fix))" }
}

/// The cases of a home folder, with their problems and with unused files.
package struct CaseLibrary: Sendable {
    /// In the order of their ids.
    package var cases: [PromptCase]
    package var problems: [CaseProblem]
    /// Files that belong to no case, as paths from the home folder, each with the reason.
    package var strays: [Orphan]

    /// Reads `prompts/cases`. A case that cannot be read becomes a problem, not an end.
    package static func load(home: String, bundle: Bundle) -> CaseLibrary {
        CaseLibraryReader(home: home, bundle: bundle).read()
    }
}

/// A recording or golden that no case uses, or a file whose name means nothing.
package struct Orphan: Hashable, Sendable {
    /// From the home folder.
    package var path: String
    package var reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }
}

private struct CaseLibraryReader {
    static let root = "prompts/cases"

    let home: String
    let bundle: Bundle

    func read() -> CaseLibrary {
        var library = CaseLibrary(cases: [], problems: [], strays: [])
        var definitions: [PromptCase.ID: CaseDefinition] = [:]
        for prompt in Files.names(in: "\(home)/\(Self.root)") {
            let place = "\(Self.root)/\(prompt)"
            if prompt == Baseline.fileName { continue }
            guard Files.isFolder("\(home)/\(place)") else {
                library.strays.append(Orphan(path: place, reason: "it is no folder of a prompt's cases"))
                continue
            }
            guard bundle.prompts[prompt] != nil else {
                library.strays.append(Orphan(path: place, reason: "there is no prompt '\(prompt)'"))
                continue
            }
            for name in Files.names(in: "\(home)/\(place)") {
                let id = PromptCase.ID(prompt: prompt, name: name)
                let path = "\(place)/\(name)"
                guard Files.exists("\(home)/\(path)/\(CaseFolder.definition)") else {
                    library.strays.append(Orphan(path: path, reason: "it has no \(CaseFolder.definition)"))
                    continue
                }
                let folder = CaseFolder(path: "\(home)/\(path)")
                do throws(CaseProblem) {
                    definitions[id] = try CaseReader(file: "\(path)/\(CaseFolder.definition)", folder: folder).read()
                } catch {
                    library.problems.append(error)
                }
            }
        }
        for id in definitions.keys.sorted() {
            do throws(CaseProblem) {
                library.cases.append(try join(id, definitions))
            } catch {
                library.problems.append(error)
            }
        }
        return library
    }

    /// A case with everything that it extends.
    private func join(
        _ id: PromptCase.ID, _ definitions: [PromptCase.ID: CaseDefinition]
    ) throws(CaseProblem) -> PromptCase {
        var chain: [CaseDefinition] = []
        var seen: [PromptCase.ID] = []
        var next: PromptCase.ID? = id
        while let current = next {
            guard let definition = definitions[current] else {
                throw problem(id, "it extends '\(current)', which is no case", "name another case as PROMPT/CASE")
            }
            guard !seen.contains(current) else {
                throw problem(id, "it extends itself by way of '\(current)'", "leave out one 'extends'")
            }
            seen.append(current)
            chain.append(definition)
            next = definition.extends
        }
        guard let own = chain.first else { throw problem(id, "it is empty", "write a case.yaml") }
        var input: JSON = [:]
        for definition in chain.reversed() {
            if let patch = definition.input { input = MergePatch.apply(patch, to: input) }
        }
        let persona = chain.lazy.compactMap(\.persona).first
        if let persona {
            guard let texts = bundle.personas[persona] else {
                let known = bundle.personas.keys.sorted().joined(separator: ", ")
                throw problem(id, "there is no persona '\(persona)'", "there are \(known)")
            }
            input["persona"] = [
                "name": JSON(texts.name), "approach": JSON(texts.approach), "voice": JSON(texts.voice),
            ]
        }
        let result = PromptCase(
            id: id, summary: own.summary, input: input, persona: persona,
            facts: chain.lazy.compactMap(\.facts).first ?? [],
            quotable: chain.lazy.compactMap(\.quotable).first ?? [], expectation: own.expectation,
            simulation: own.simulation, tags: own.tags, answers: own.answers, folder: "\(home)/\(Self.root)/\(id)")
        try checkNames(of: result)
        return result
    }

    /// A check that the prompt does not have cannot fail.
    private func checkNames(of promptCase: PromptCase) throws(CaseProblem) {
        let known = Set(bundle.prompts[promptCase.id.prompt]?.checks.map(\.name) ?? [])
        if let unknown = promptCase.expectation.failing.sorted().first(where: { !known.contains($0) }) {
            throw problem(
                promptCase.id, "'expect.failing' names '\(unknown)', which the prompt does not check",
                "the prompt has \(known.sorted().joined(separator: ", "))")
        }
        for answer in promptCase.answers {
            guard let unknown = answer.failing.sorted().first(where: { !known.contains($0) }) else { continue }
            throw problem(
                promptCase.id, "'answers' name '\(unknown)', which the prompt does not check",
                "the prompt has \(known.sorted().joined(separator: ", ")); 'schema' and 'json' stand alone")
        }
        if promptCase.expectation.outcome != .answered, !promptCase.expectation.failing.isEmpty {
            throw problem(
                promptCase.id, "checks look at usable answers only, and the case expects none",
                "leave out 'expect.failing'")
        }
    }

    private func problem(_ id: PromptCase.ID, _ message: String, _ fix: String) -> CaseProblem {
        CaseProblem(file: "\(Self.root)/\(id)/\(CaseFolder.definition)", line: nil, message: message, fix: fix)
    }
}

/// JSON Merge Patch (RFC 7386): members replace members, `null` removes one, anything but an object replaces all.
enum MergePatch {
    static func apply(_ patch: JSON, to value: JSON) -> JSON {
        guard let members = patch.object else { return patch }
        var result = value.object == nil ? JSON.object([:]) : value
        for (key, member) in members {
            // Not a literal: that would be JSON's own null.
            result[key] = member.isNull ? Optional<JSON>.none : apply(member, to: result[key] ?? .null)
        }
        return result
    }
}
