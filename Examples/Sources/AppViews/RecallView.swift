#if canImport(SwiftUI)
    public import AppModels
    public import DossierClient
    public import SwiftUI

    /// Analyzes an address.
    public struct AnalyzeView: View {
        @State private var model: RecallViewModel
        @State private var address = ""
        private let input: (String) -> AnalysisInput

        /// - Parameters:
        ///   - dossier: The client.
        ///   - input: Adds the user's goal and what they know to an address.
        public init(_ dossier: Dossier, input: @escaping (String) -> AnalysisInput) {
            _model = State(initialValue: RecallViewModel(dossier))
            self.input = input
        }

        /// The field, the progress, and what was found.
        public var body: some View {
            Form {
                TextField("Address of an article or video", text: $address)
                Button("Analyze Content") { Task { await model.analyze(input(address)) } }
                    .disabled(address.isEmpty)
                switch model.phase {
                case .idle: EmptyView()
                case .analyzing(let progress, let step):
                    ProgressView(value: Double(progress), total: 100) { Text(step ?? "Analyzing…") }
                case .analyzed(let analysis):
                    Text("Decision: \(analysis.decision.rawValue)")
                    Text("Relevance: \(analysis.relevanceScore, specifier: "%.2f")")
                    ForEach(analysis.recallQuestions, id: \.question) { Text($0.question) }
                case .failed(let problem): ProblemLabel(problem)
                }
            }
        }
    }

    /// Asks the questions that are due.
    public struct RecallView: View {
        @State private var model: RecallViewModel
        @State private var answer = ""

        /// Asks the questions of a client's user.
        public init(_ dossier: Dossier) { _model = State(initialValue: RecallViewModel(dossier)) }

        /// The question, then its grade.
        public var body: some View {
            Form {
                if let card = model.current {
                    Text(card.question).font(.headline)
                    if let grade = model.grade {
                        Label(grade.answer, systemImage: grade.isRight ? "checkmark.circle" : "xmark.circle")
                        Text(grade.sentence)
                        Button("Next") {
                            answer = ""
                            model.next()
                        }
                    } else if let options = card.options {
                        ForEach(options, id: \.self) { option in
                            Button(option) { Task { await model.answer(option) } }
                        }
                    } else {
                        TextField("Your answer", text: $answer)
                        Button("Check") { Task { await model.answer(answer) } }.disabled(answer.isEmpty)
                    }
                } else {
                    Text("Nothing is due.")
                }
                if let notice = model.notice { ProblemLabel(notice) }
            }
            .disabled(model.isGrading)
            .task { await model.loadDue() }
        }
    }
#endif
