#if canImport(SwiftUI)
    public import AppModels
    public import DossierClient
    public import SwiftUI

    /// A research report from the tap to the text.
    public struct ReportView: View {
        @State private var model: ReportViewModel
        private let ticker: String
        private let persona: Persona.ID

        /// Shows a report of a client.
        public init(_ dossier: Dossier, ticker: String, persona: Persona.ID) {
            _model = State(initialValue: ReportViewModel(dossier))
            self.ticker = ticker
            self.persona = persona
        }

        /// The button, the progress, the text, or the problem.
        public var body: some View {
            Group {
                switch model.phase {
                case .idle:
                    Button("Write a Report on \(ticker)") {
                        // Not the task of the view: the report is followed when the view has gone, too.
                        Task { await model.generate(ticker: ticker, persona: persona) }
                    }
                case .running(let progress, let step):
                    VStack {
                        ProgressView(value: Double(progress), total: 100) { Text(step ?? "Waiting") }
                        Button("Cancel", role: .cancel) { Task { await model.cancel() } }
                    }
                case .finished(let report): ReportText(report: report)
                case .failed(let problem): ProblemView(problem) { await model.tryAgain() }
                }
            }
            .padding()
            .task { await model.resume() }
        }
    }

    /// The text of a report.
    struct ReportText: View {
        let report: ResearchReport

        var body: some View {
            ScrollView {
                VStack(alignment: .leading, spacing: 12) {
                    Text(report.prose.company.name).font(.title)
                    if let score = report.prose.score { Text("Score: \(Int(score))") }
                    Text(report.prose.summary)
                    Text(report.prose.thesis)
                    ForEach(report.prose.risks, id: \.title) { risk in
                        VStack(alignment: .leading) {
                            Text(risk.title).font(.headline)
                            Text(risk.detail)
                        }
                    }
                }
            }
        }
    }
#endif
